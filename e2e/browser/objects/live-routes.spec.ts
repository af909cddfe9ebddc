import { expect, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

test("the routes of a running product are in sync, and one node's route can be observed again", async ({
  page,
  cluster,
  fleet,
}) => {
  await untilFleetIsOk(page, cluster, fleet);
  await page.goto(`${cluster}/routes`);
  await expect(page.getByText(/^All \d+ routes are in sync\./)).toBeVisible({ timeout: 60_000 });
  const cell = page.getByRole("button", { name: /route of node-2$/ }).first();
  await expect(cell).toContainText("In sync");
  await cell.click();
  const panel = page.getByRole("complementary", { name: /Routes of node-2$/ });
  await expect(panel).toContainText("False, RouteCreated");
  await panel.getByRole("button", { name: "Retry now" }).click();
  const dialog = page.getByRole("dialog", { name: "Retry routes of node node-2" });
  await expect(dialog).toContainText("Nothing would change");
  await dialog.getByRole("button", { name: "Retry node" }).click();
  await expect(page.getByRole("region", { name: "Your actions" })).toContainText("Verified", {
    timeout: 30_000,
  });
  await page.goto(`${cluster}/nodes/node-2`);
  const step = page
    .getByRole("list", { name: "Steps of the initialisation" })
    .getByRole("listitem")
    .filter({ hasText: /^Route/ });
  await expect(step).toContainText("done");
});
