import type { Page } from "@playwright/test";
import { sound } from "../fixtures/axe.ts";
import { expect, SIGNED_OUT, sessionOf, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

const PASSWORD = "correct horse battery";

test("an admin adds a user and hands on the sign-in link, and the user's rights follow the role", async ({
  page,
  openPage,
  product,
  cluster,
}) => {
  const name = "Bo Berg";
  await page.goto("/settings/users");
  await page.getByRole("button", { name: "Add user…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a user" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("E-mail address").fill("bo@example.test");
  await dialog.getByLabel("Role").selectOption("viewer");
  await dialog.getByRole("button", { name: "Add user" }).click();
  const link = await dialog.getByLabel(`Sign-in link of ${name}`).inputValue();
  expect(link).toContain(`${product.endpoints.dashboard}/sign-in?token=`);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(user(page, name)).toContainText("viewer");
  await page.reload();
  await expect(user(page, name)).toBeVisible();
  expect(await page.content(), "the link is shown once").not.toContain(link);

  const theirs = await openPage(SIGNED_OUT);
  await theirs.goto(link);
  await theirs.getByRole("button", { name: /^Sign in as/ }).click();
  await theirs.goto("/settings/users");
  await expect(theirs.getByText(`You are ${name}, viewer.`)).toBeVisible();
  await expect(theirs.getByRole("table", { name: "Users" })).toHaveCount(0);

  await change(page, name, "Change role…");
  await page.getByRole("dialog").getByLabel("Role").selectOption("operator");
  await page.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
  await expect(user(page, name)).toContainText("operator");
  await theirs.reload();
  await expect(theirs.getByText(`You are ${name}, operator.`)).toBeVisible();

  await change(page, name, "Disable…");
  await page.getByRole("dialog").getByLabel("Reason").fill("Left the team");
  await page.getByRole("dialog").getByRole("button", { name: "Disable user" }).click();
  await expect(user(page, name)).toContainText("Disabled");
  await theirs.goto(`${cluster}/nodes`);
  await expect(theirs.getByRole("heading", { name: "You are not signed in" })).toBeVisible();
  await change(page, name, "Enable again…");
  await page.getByRole("dialog").getByRole("button", { name: "Enable user" }).click();
  await expect(user(page, name)).toContainText("Active");

  await change(page, name, "Reset password…");
  await page.getByRole("dialog").getByRole("button", { name: "Reset password" }).click();
  await expect(page.getByRole("dialog").getByLabel(`Sign-in link of ${name}`)).toHaveValue(
    /sign-in\?token=/,
  );
  await page.goto(`${cluster}/audit?chain=accounts&q=bo@example.test`);
  const entries = page.getByRole("table", { name: "Audit entries" });
  for (const action of ["Add user", "Change user", "Disable user", "Set password"]) {
    await expect(entries.getByRole("row").filter({ hasText: action }).first()).toBeVisible();
  }
});

test("a refused change stays in its dialog, with the server's reason", async ({ page }) => {
  await page.goto("/settings/users");
  const own = page.getByRole("row").filter({ hasText: " you" });
  const name = (await own.locator("strong").textContent()) ?? "";
  await page.getByRole("button", { name: "Add user…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a user" });
  await dialog.getByLabel("Name").fill("Somebody else");
  await dialog.getByLabel("E-mail address").fill("admin@example.test");
  await dialog.getByRole("button", { name: "Add user" }).click();
  await expect(dialog.getByRole("alert")).toContainText("is already in use");
  await expect(dialog.getByLabel("Name"), "what was typed is kept").toHaveValue("Somebody else");
  await page.keyboard.press("Escape");
  expect(name).not.toBe("");
});

test("a user sets their password and signs in with it", async ({ openPage, product, cluster }) => {
  const session = await sessionOf(product, "operator");
  const page = await openPage(session);
  await page.goto("/settings/sessions");
  await page.getByLabel("New password", { exact: false }).first().fill(PASSWORD);
  await page.getByLabel("New password again").fill(`${PASSWORD}!`);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("The two new passwords differ")).toBeVisible();
  await page.getByLabel("New password again").fill(PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Your password was changed")).toBeVisible();

  const other = await openPage(SIGNED_OUT);
  await other.goto(`${cluster}/nodes`);
  await other.getByLabel("E-mail address").fill("operator@example.test");
  await other.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Nodes");

  await page.reload();
  const mine = page.getByRole("table", { name: "Your sessions" });
  await expect(mine.getByRole("row").filter({ hasText: "this session" })).toHaveCount(1);
  await expect(page.getByRole("table", { name: "Everybody's sessions" })).toHaveCount(0);
  await page.getByRole("button", { name: "End all others" }).click();
  await expect(mine.locator("tbody tr[aria-rowindex]")).toHaveCount(1);
  await other.reload();
  await expect(other.getByRole("heading", { name: "You are not signed in" })).toBeVisible();
});

test("an admin ends another user's session", async ({ page, openPage, cluster }) => {
  const theirs = await openPage("viewer");
  await theirs.goto(`${cluster}/nodes`);
  await expect(theirs.getByRole("heading", { level: 1 })).toHaveText("Nodes");
  await page.goto("/settings/sessions");
  const all = page.getByRole("table", { name: "Everybody's sessions" });
  const session = all.getByRole("row").filter({ hasText: "viewer" });
  await expect(session.first()).toBeVisible();
  for (let left = await session.count(); left > 0; left -= 1) {
    await session
      .first()
      .getByRole("button", { name: /^End session of viewer/ })
      .click();
    await expect(session).toHaveCount(left - 1);
  }
  await theirs.reload();
  await expect(theirs.getByRole("heading", { name: "You are not signed in" })).toBeVisible();
});

test("an admin tries another role's view, and leaves it", async ({ page, cluster, fleet }) => {
  await untilFleetIsOk(page, cluster, fleet);
  await page.goto("/settings/users");
  const matrix = page.getByRole("table", { name: "What each role may do" });
  await expect(
    matrix.getByRole("row").filter({ hasText: "Override the taint of a node" }),
  ).toContainText(/no.*no.*yes/);
  await page.getByRole("button", { name: "viewer", exact: true }).click();
  const banner = page.getByText("You are viewing the pages with the role viewer.");
  await expect(banner).toBeVisible();
  await page.goto(`${cluster}/nodes/node-1`);
  await expect(banner, "it holds on every page of the tab").toBeVisible();
  await expect(page.getByRole("button", { name: "Retry now" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await page.getByRole("button", { name: "Back to my own view" }).click();
  await expect(banner).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Retry now" })).not.toHaveAttribute(
    "aria-disabled",
    "true",
  );
});

test("a setting is changed without a restart, shows the reason, and is reset to the flag", async ({
  page,
}) => {
  await page.goto("/settings/controllers");
  const row = page.getByRole("row").filter({ hasText: "--ledger-retention-budget" });
  await row.getByRole("button", { name: /^Change…/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Minutes of the budget/).fill("7 weeks");
  await expect(dialog.getByText(/must be a duration of a day or more/)).toBeVisible();
  await dialog.getByLabel(/^Minutes of the budget/).fill("9d");
  await expect(dialog.getByText("Change --ledger-retention-budget from 7d to 9d")).toBeVisible();
  await sound(page, "change a setting");
  await dialog.getByLabel(/^Reason/).fill("the quarter's report");
  await dialog.getByRole("button", { name: "Set to 9d" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(row).toContainText(/9d.*the quarter's report.*The flag says 7d/);
  await row.getByRole("button", { name: /^Back to the flag…/ }).click();
  // The flag's shorter retention deletes older records, so its value has to be typed.
  await expect(dialog.getByText("Change --ledger-retention-budget from 9d to 7d")).toBeVisible();
  await dialog.getByLabel(/^Reason/).fill("it is written");
  await dialog.getByLabel(/^Type the new value/).fill("7d");
  await dialog.getByRole("button", { name: "Set to 7d" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(row).toContainText("the flag");
});

test("the appearance of the pages is kept in this browser", async ({ page, cluster }) => {
  await page.goto("/settings/appearance");
  const html = page.locator("html");
  await page.getByRole("button", { name: "Dark" }).click();
  await expect(html).toHaveAttribute("data-mantine-color-scheme", "dark");
  await page.getByRole("button", { name: "UTC", exact: true }).last().click();
  await page.getByRole("button", { name: "Off", exact: true }).click();
  await page.goto(`${cluster}/nodes`);
  await expect(html).toHaveAttribute("data-mantine-color-scheme", "dark");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nodes");
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Filter nodes" })).not.toBeFocused();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nodes");
});

test("an unknown section of the settings is not found, and /settings leads to the users", async ({
  page,
}) => {
  await page.goto("/settings");
  await expect(page).toHaveURL(/\/settings\/users$/);
  const answer = await page.goto("/settings/nothing");
  expect(answer?.status()).toBe(404);
  await expect(page.getByText("There is no such page")).toBeVisible();
});

function user(page: Page, name: string) {
  return page
    .getByRole("table", { name: "Users" })
    .getByRole("row")
    .filter({ has: page.getByText(name, { exact: true }) });
}

async function change(page: Page, name: string, what: string): Promise<void> {
  await page.getByRole("button", { name: `Change ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: what }).click();
}
