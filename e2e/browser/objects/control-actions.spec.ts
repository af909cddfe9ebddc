import { press, trayItem } from "../fixtures/acting.ts";
import { sound } from "../fixtures/axe.ts";
import { expect, stateCounter, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

/** A unique fleet size gives this spec its own product: controllers are paused, and nodes deleted. */
const FLEET = 10;
test.use({ fleet: FLEET });
test.beforeEach(({ page, cluster }) => untilFleetIsOk(page, cluster, FLEET));

test("a controller is paused and resumed by keyboard alone, and every page says so", async ({
  page,
  cluster,
}) => {
  await page.goto("/settings/controllers");
  await press(page.getByRole("button", { name: "Pause… Node initialisation" }));
  const dialog = page.getByRole("dialog", { name: "Pause Node initialisation" });
  await expect(dialog.getByText(/^1 controller changes · until/)).toBeVisible();
  await sound(page, "pause");
  await dialog.getByRole("textbox", { name: /Reason/ }).focus();
  await page.keyboard.type("LB migration");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await page.goto(`${cluster}/runs`);
  const banner = page.getByRole("region", { name: "Node initialisation is paused" });
  await expect(banner).toContainText("“LB migration”");
  await expect(banner).toContainText(/\((29|30)\smin left\)/);
  await sound(page, "paused");

  await press(banner.getByRole("button", { name: "Resume Node initialisation" }));
  const resume = page.getByRole("dialog", { name: "Resume Node initialisation" });
  await expect(resume.getByText("1 controller changes", { exact: true })).toBeVisible();
  await sound(page, "resume");
  await page.keyboard.type("the migration is over");
  await page.keyboard.press("Enter");
  await expect(resume).toBeHidden();
  await expect(banner).toBeHidden();
  await expect(page.locator("#content")).toBeFocused();
});

test("a viewer cannot pause a controller, and its button says why", async ({ openPage }) => {
  const page = await openPage("viewer");
  await page.goto("/settings/controllers");
  const pause = page.getByRole("button", { name: "Pause… Node lifecycle" });
  await expect(pause).toHaveAccessibleDescription(/^Needs role admin\. You are viewer\./);
});

/** Must be the last test, because it deletes nodes. */
test("deletions past the guard's limit wait until an admin types their number, by keyboard alone", async ({
  page,
  cluster,
  product,
}) => {
  const names = ["node-4", "node-5", "node-6", "node-7", "node-8", "node-9", "node-10"];
  for (const name of names) await product.cloud.remove((await product.cloud.named(name)).id);
  await page.goto(`${cluster}/nodes`);
  const banner = page.getByRole("region", { name: "The deletion guard holds" });
  await expect(banner).toContainText("5 of at most 5 nodes were deleted", { timeout: 90_000 });
  await expect(banner).toContainText("2 deletions are waiting for an admin", { timeout: 30_000 });
  await press(banner.getByRole("button", { name: "Release… the held deletions" }));
  const dialog = page.getByRole("dialog", { name: "Release 2 held deletions" });
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await expect(dialog.getByText("2 nodes may be deleted", { exact: true })).toBeVisible();
  await expect(dialog.getByRole("listitem").filter({ hasText: "does not exist" })).toHaveCount(2);
  await sound(page, "release of the guard");
  await dialog.getByRole("textbox", { name: /Reason/ }).focus();
  await page.keyboard.type("INC-90: the machines were taken down");
  await page.keyboard.press("Tab");
  await page.keyboard.type("2");
  await dialog.getByRole("button", { name: "Release 2 deletions" }).focus();
  await page.keyboard.press("Space");
  await expect(dialog).toBeHidden();
  await expect(trayItem(page, "Release 2 held deletions")).toContainText("Verified");
  await expect(stateCounter(page, "Gone")).toHaveText("Gone7", { timeout: 60_000 });
  await expect(banner).toBeHidden({ timeout: 30_000 });
});
