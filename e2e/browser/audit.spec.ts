import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { rowsOf } from "../harness/database.ts";
import { fitsNarrow, settled, sound } from "./axe.ts";
import { expect, test, untilFleetIsOk } from "./dashboard-test.ts";

const FLEET = 5;

// A product of its own, as its record is tampered with at the end.
test.use({ fleet: FLEET });
test.describe.configure({ mode: "serial" });

test("entries are filtered by chips that the address keeps", async ({
  page,
  browser,
  admin,
  product,
  cluster,
}) => {
  await untilFleetIsOk(page, cluster, FLEET);
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit");
  await expect(rows(page).first()).toBeVisible();
  await page.getByRole("searchbox", { name: "Filter entries" }).fill("object:node-2");
  await expect(page).toHaveURL(/q=object/);
  await choose(page, "Action", "Initialise node");
  await expect(page).toHaveURL(/action%3Anode\.initialise/);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("node-2");

  const other = await browser.newContext({
    storageState: admin,
    baseURL: product.endpoints.dashboard,
  });
  const theirs = await other.newPage();
  await theirs.goto(page.url());
  await expect(rows(theirs)).toHaveCount(1);
  await other.close();

  await page.getByRole("button", { name: "Remove object:node-2" }).click();
  await expect(rows(page)).toHaveCount(FLEET);
  await page.goBack();
  await expect(rows(page)).toHaveCount(1);
});

test("an entry shows before and after beside the list, and leads to its run", async ({
  page,
  cluster,
}) => {
  await page.goto(`${cluster}/audit?action=node.initialise&object=node-3`);
  await page.getByRole("link", { name: "Initialise node" }).click();
  await expect(page).toHaveURL(/peek=\d+/);
  const beside = page.getByRole("complementary");
  await expect(beside).toContainText("node.initialise");
  await expect(beside.getByRole("heading", { name: "Before and after" })).toBeVisible();
  await expect(beside).toContainText("sandbox://");
  await page.reload();
  await expect(beside, "its address is its own").toContainText("sandbox://");
  await beside.getByRole("link", { name: "Run" }).click();
  await expect(page.getByRole("tab", { name: "Waterfall" })).toBeVisible();
  await page.goBack();
  await page.keyboard.press("Escape");
  await expect(beside).toHaveCount(0);
});

test("what may not be in a filter is said, and what an address may not say is dropped", async ({
  page,
  cluster,
}) => {
  await page.goto(`${cluster}/audit?q=action:fly&chain=moon`);
  await expect(page.getByText(/there is no action fly/)).toBeVisible();
  await expect(page.getByText(/it was left out: moon/)).toBeVisible();
  await page.goto(`${cluster}/audit?q=object:nobody`);
  await expect(page.getByText("No entry matches this filter")).toBeVisible();
  await page.getByRole("button", { name: "Show all entries" }).click();
  await expect(rows(page).first()).toBeVisible();
});

test("the chain is verified, and new entries do not push what one reads", async ({
  page,
  cluster,
}) => {
  await page.goto(`${cluster}/audit`);
  await expect(rows(page).first()).toBeVisible();
  const chain = page.getByRole("region", { name: "Chain" });
  await expect(chain).toContainText(/entries since/);
  await chain.getByRole("button", { name: "Verify now" }).click();
  await expect(chain).toContainText(/All [\d,]+ entries are as written/);
  const fresh = page.getByRole("button", { name: /new — show/ });
  // What happens in the moment in which the list is opened still belongs to it.
  await expect(async () => {
    const first = await rows(page).first().textContent();
    await chain.getByRole("button", { name: "Verify now" }).click();
    await expect(fresh).toBeVisible({ timeout: 3_000 });
    expect(await rows(page).first().textContent()).toBe(first);
  }).toPass({ timeout: 30_000 });
  await fresh.click();
  await expect(rows(page).first()).toContainText("Verify audit");
  await page.reload();
  await expect(chain).toContainText(/unbroken when .* verified/);
});

test("an export holds exactly what the filter selects", async ({ page, cluster }) => {
  await page.goto(`${cluster}/audit?q=action:node.initialise`);
  await expect(rows(page)).toHaveCount(FLEET);
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "As JSON" }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^audit-.*\.json$/);
  const file = JSON.parse(readFileSync(await download.path(), "utf8"));
  expect(file.filter).toEqual({ action: "node.initialise" });
  expect(file.entries).toHaveLength(FLEET);
});

test("the record of accounts tells who signed in from where", async ({ page, cluster }) => {
  await page.goto(`${cluster}/audit`);
  await page.getByRole("button", { name: "Accounts" }).click();
  await expect(page).toHaveURL(/chain=accounts/);
  await expect(rows(page).filter({ hasText: "Sign in" }).first()).toContainText("127.0.0.1");
});

test.describe("in light and dark", () => {
  test.use({ reducedMotion: "reduce" });

  test("the audit has no serious fault and fits 320 px", async ({ page, cluster }) => {
    const path = `${cluster}/audit?q=action:node.*`;
    for (const each of [path, `${path}&peek=2`]) {
      await page.goto(each);
      await settled(page, rows(page).first());
      await sound(page, each);
    }
    await page.getByRole("button", { name: "Export" }).click();
    await settled(page, page.getByRole("menuitem", { name: "As CSV" }));
    await sound(page, "Audit with the export's menu");
    await page.setViewportSize({ width: 320, height: 640 });
    for (const each of [path, `${path}&peek=2`]) {
      await page.goto(each);
      await settled(page, page.getByRole("heading", { level: 1 }));
      await fitsNarrow(page, each);
    }
  });
});

test("an entry that the database's owner changed is named, with what is still proven", async ({
  page,
  product,
  cluster,
}) => {
  const { databaseUrl } = product.endpoints;
  const changed = "UPDATE audit_entries SET why = 'Nothing happened' WHERE seq = 3";
  await rowsOf(
    databaseUrl,
    `BEGIN; SET LOCAL session_replication_role = replica; ${changed} AND chain = '${cluster.slice(3)}'; COMMIT`,
  );
  await page.goto(`${cluster}/audit`);
  await page.getByRole("button", { name: "Verify now" }).click();
  const alert = page.getByRole("region", { name: "Chain" }).getByRole("alert");
  await expect(alert).toContainText("The chain is broken");
  await expect(alert).toContainText(/[Ee]ntry 3 was changed/);
  await expect(alert).toContainText(/Still proven: entries 4 to \d+\./);
  await expect(alert, "nothing after the break vouches for them").toContainText(
    "not bound to the rest: entries 1 to 2.",
  );
  await expect(alert).toContainText("cloudwright audit verify");
  await sound(page, "a broken chain");
  await page.reload();
  await expect(page.getByRole("region", { name: "Chain" })).toContainText(/broken when/);
});

function rows(page: Page) {
  return page.getByRole("table", { name: "Audit entries" }).locator("tbody tr[aria-rowindex]");
}

async function choose(page: Page, menu: string, choice: string): Promise<void> {
  await page.locator("button[aria-haspopup=menu]", { hasText: new RegExp(`^${menu}`) }).click();
  await page.getByRole("menu", { name: menu }).getByText(choice, { exact: true }).click();
  await page.keyboard.press("Escape");
}
