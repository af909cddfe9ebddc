import { expect, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

const FLEET = 7;
// A separate product, because the page's sentence counts its objects.
test.use({ fleet: FLEET });
test.describe.configure({ mode: "serial" });

test("one sentence says that all is well, with the last change", async ({ page, cluster }) => {
  await untilFleetIsOk(page, cluster, FLEET);
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Overview");
  await expect(page).toHaveTitle(/^Overview · .+ · Cloudwright$/);
  const header = page.getByRole("main").locator("header").first();
  await expect(header).toContainText(
    `All ${FLEET} nodes and ${FLEET} routes are in sync with the cloud. Last change`,
  );
  await expect(page.getByRole("region", { name: "Needs you" })).toContainText("Nothing needs you");
  await expect(page.getByRole("region", { name: "Nodes", exact: true })).toContainText(
    `From registered to initialised: half within`,
  );
  await expect(page.getByRole("region", { name: "Controllers" })).toContainText(
    "Node initialisation",
  );
  await expect(
    page
      .getByRole("region", { name: "Changes" })
      .getByRole("listitem")
      .filter({ hasText: /node-\d initialised \(/ })
      .first(),
  ).toBeVisible();
  await expect(page.getByRole("link", { name: "Overview", exact: true })).toHaveAttribute(
    "aria-current",
    "page",
  );
});

test("a bar of the last hour opens its runs, also by keyboard", async ({ page, cluster }) => {
  await page.goto(cluster);
  const bars = page.getByRole("list", { name: "Runs of the last hour" });
  const busy = bars.getByRole("link", { name: /changed/ }).last();
  await expect(busy).toBeVisible();
  await busy.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(busy).not.toBeFocused();
  await expect(bars.locator("a:focus")).toHaveCount(1);
  await page.keyboard.press("ArrowRight");
  await expect(busy).toBeFocused();
  await expect(bars.locator('a[tabindex="0"]'), "one stop of the Tab key").toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/runs\?from=.*Z&to=.*Z/);
  await expect(page.getByRole("table", { name: "Runs" })).toContainText("Changed");
  await page.getByRole("button", { name: "Last hour" }).click();
  await expect(page).toHaveURL(/from=-1h$/);
});

test("the last hour is also shown as a table, with its own address", async ({ page, cluster }) => {
  await page.goto(cluster);
  await page.getByRole("button", { name: "Show as table" }).click();
  await expect(page).toHaveURL(/hour=table/);
  const table = page.getByRole("table", { name: "Runs of the last hour" });
  await table.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/runs\?from=/);
  await page.goBack();
  await expect(table).toBeVisible();
});

test("on a phone the last hour has twelve bars", async ({ page, cluster }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(cluster);
  const bars = page.getByRole("list", { name: "Runs of the last hour" });
  await expect(bars.getByRole("link")).toHaveCount(12);
});
