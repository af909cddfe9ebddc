import type { Page } from "@playwright/test";
import { fitsNarrow, settled, sound } from "../fixtures/axe.ts";
import { expect, SIGNED_OUT, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

/** A unique fleet size gives this spec its own product, whose cloud is throttled. */
const FLEET = 11;
/** Time for the leader's first whole minute and for writing it to the database. */
const FIRST_MINUTE_MS = 90_000;

test.use({ fleet: FLEET });

test.describe.configure({ timeout: 240_000 });

test("shows the calls to the cloud and the API, and leads to the runs behind them", async ({
  page,
  cluster,
}) => {
  await untilFleetIsOk(page, cluster, FLEET);
  await budgetOf(page, cluster);
  await expect(page.getByText(/calls? in the last minute; sandbox has set no limit/)).toBeVisible();
  const listing = page
    .getByRole("table", { name: "Cloud, by operation" })
    .getByRole("row", { name: /GET \/v1\/instances/ })
    .first();
  await expect(listing).toBeVisible();
  await expect(
    page.getByRole("table", { name: "Kubernetes API, by operation" }).getByRole("row"),
  ).not.toHaveCount(0);
  await expect(page.getByRole("table", { name: "By controller" })).toContainText(
    "Node initialisation",
  );
  await expect(page.getByRole("table", { name: "Lookups" })).toContainText("Look up instance");

  await listing.getByRole("link").click();
  await expect(page).toHaveURL(/\/runs\?q=call/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Runs");
  await expect(page.getByText(/^\d+ runs?( match)?/).first()).toBeVisible();
});

test("shows the calls as bars or a table, for an hour or a day, as the address says", async ({
  page,
  cluster,
}) => {
  await budgetOf(page, cluster);
  const chart = page.getByRole("group", { name: "Kubernetes API, calls" });
  const bars = chart.getByRole("link");
  await expect(bars.last()).toHaveAccessibleName(/\d+ calls?/);
  await bars.last().focus();
  await page.keyboard.press("Home");
  await expect(bars.first()).toBeFocused();

  await page.getByRole("button", { name: "Show as table for Cloud" }).click();
  await expect(page).toHaveURL(/use=table/);
  await expect(page.getByRole("table", { name: "Kubernetes API, calls" })).toContainText(
    "Busiest minute",
  );
  await page.getByRole("button", { name: "Last day" }).click();
  await expect(page).toHaveURL(/range=day/);
  await page.goBack();
  await expect(page).not.toHaveURL(/range=day/);
  await page.goto(`${cluster}/budget?range=year`);
  await expect(page.getByText(/year/)).toBeVisible();
});

test("shows when the cloud throttles, and what waits", async ({ page, cluster, product }) => {
  await budgetOf(page, cluster);
  await product.cloud.setFaults({
    rules: [{ path: "/v1/instances*", retryAfter: 5, times: 2 }],
  });
  await page.goto(`${cluster}/nodes/node-1`);
  await page.getByRole("button", { name: "Retry now" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-98: what the cloud says");
  await dialog.getByRole("button", { name: "Retry node" }).click();
  await page.goto(`${cluster}/budget`);
  await expect(page.getByText(/that sandbox currently allows/)).toBeVisible({ timeout: 60_000 });
  const throttled = page
    .getByRole("table", { name: "Cloud, by operation" })
    .getByRole("row", { name: /GET \/v1\/instances\/\{id\}/ });
  await expect(throttled.getByRole("cell").nth(2)).not.toHaveText("0", {
    timeout: FIRST_MINUTE_MS,
  });
  await product.cloud.setFaults({});
});

test("is reached by key and by palette", async ({ page, cluster }) => {
  await page.goto(cluster);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("l");
  await expect(page).toHaveURL(`${cluster}/budget`);
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search or jump" }).fill("budget");
  await expect(
    page.getByRole("dialog").getByRole("button", { name: "Budget: calls to the cloud" }),
  ).toBeVisible();
});

test("shows everything to a viewer, and nothing to a user who is not signed in", async ({
  openClient,
  cluster,
}) => {
  const input = (value: object) => encodeURIComponent(JSON.stringify({ json: value }));
  const id = cluster.split("/").at(-1) ?? "";
  const paths = [
    `budget.byCluster?input=${input({ cluster: id, range: "hour" })}`,
    `controllers.activity?input=${input({ cluster: id })}`,
    `controllers.settings?input=${input({ cluster: id })}`,
  ];
  const foreign = await openClient(SIGNED_OUT);
  const viewer = await openClient("viewer");
  for (const path of paths) {
    expect((await foreign.get(`/api/trpc/${path}`)).status(), path).toBe(401);
    expect((await viewer.get(`/api/trpc/${path}`)).status(), path).toBe(200);
  }
});

test.describe("in light and dark", () => {
  test.use({ reducedMotion: "reduce" });

  test("has no fault and fits 320 px", async ({ page, cluster }) => {
    for (const query of ["", "?use=table", "?range=day"]) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await budgetOf(page, cluster, query);
      await sound(page, `budget${query}`);
      await page.setViewportSize({ width: 320, height: 640 });
      await budgetOf(page, cluster, query);
      await fitsNarrow(page, `budget${query}`);
    }
  });
});

/** Opens the page and waits until the first minute is recorded. */
async function budgetOf(page: Page, cluster: string, query = ""): Promise<void> {
  await page.goto(`${cluster}/budget${query}`);
  await expect(page.getByRole("heading", { name: "Cloud, by operation" })).toBeVisible({
    timeout: FIRST_MINUTE_MS,
  });
  await settled(page, page.getByRole("heading", { level: 1 }));
}
