import { CLUSTER, expect, test } from "../fixtures/ledger.ts";

const FLEET = 5_000;
test.use({ fleet: FLEET });

test("the list of the routes of 5,000 nodes keeps only visible rows in the document", async ({
  page,
}) => {
  await page.goto(`/c/${CLUSTER}/routes`);
  await expect(page.getByRole("button", { name: "List", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  const table = page.getByRole("table", { name: "Routes" });
  await expect(table).toHaveAttribute("aria-rowcount", String(FLEET + 1));
  expect(await page.locator("tbody tr").count()).toBeLessThan(100);

  await page.getByRole("button", { name: "Matrix" }).click();
  await expect(page).toHaveURL(/view=matrix/);
  await expect(page.locator("tbody tr th").first()).toBeVisible();
  expect(await page.locator("tbody tr").count()).toBeLessThan(100);
  await page.getByRole("searchbox", { name: "Filter routes" }).fill("node-4990");
  await expect(page.getByText("1 node matches")).toBeVisible();
});
