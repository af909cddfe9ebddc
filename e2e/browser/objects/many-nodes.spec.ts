import { expect, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

/** 300 in CI; `BROWSER_NODES=5000` runs the same tests with the fleet of a large cluster. */
const FLEET = Number(process.env.BROWSER_NODES ?? 300);
test.use({ fleet: FLEET });
test.setTimeout(60_000 + 60 * FLEET);

test("a long list keeps only visible rows in the document, and scrolls to its end", async ({
  page,
  cluster,
}) => {
  await untilFleetIsOk(page, cluster, FLEET);
  await page.goto(`${cluster}/nodes?sort=name`);
  const rows = page.locator("tbody tr[aria-rowindex]");
  await expect(rows.first()).toBeVisible();
  await expect(page.getByRole("table", { name: "Nodes" })).toHaveAttribute(
    "aria-rowcount",
    String(FLEET + 1),
  );
  expect(await rows.count()).toBeLessThan(100);

  const list = page.getByRole("group", { name: "Nodes" });
  const last = page.locator(`tbody tr[aria-rowindex="${FLEET + 1}"]`);
  await expect(async () => {
    await list.evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
    await expect(last).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 30_000 + 20 * FLEET });
  expect(await rows.count()).toBeLessThan(100);
  await expect(last).toContainText("OK");

  await page.keyboard.press("j");
  await expect(page.locator('tbody tr[aria-rowindex="2"] a').first()).toBeFocused();
});

test("names are in natural order, in the list and in the matrix", async ({ page, cluster }) => {
  await untilFleetIsOk(page, cluster, FLEET);
  const names = page.locator('tbody tr[aria-rowindex] a[href*="/nodes/"]');
  const first = ["node-1", "node-2", "node-3", "node-4", "node-5", "node-6", "node-7", "node-8"];
  for (const path of ["nodes?sort=name", "routes?view=matrix&sort=name"]) {
    await page.goto(`${cluster}/${path}`);
    await expect(names.first()).toBeVisible();
    expect((await names.allTextContents()).slice(0, 11), path).toEqual([
      ...first,
      ...["node-9", "node-10", "node-11"],
    ]);
  }
  await page.goto(`${cluster}/nodes?sort=-name`);
  await expect(names.first()).toHaveText(`node-${FLEET}`);
});

test("a filter finds one node among many on the server", async ({ page, cluster }) => {
  await untilFleetIsOk(page, cluster, FLEET);
  await page.keyboard.press("/");
  await page.keyboard.type(`node-${FLEET}`);
  await expect(page.getByText("1 node matches")).toBeVisible();
  await expect(page.getByRole("link", { name: `node-${FLEET}`, exact: true })).toBeVisible();
});
