import { SERVICES } from "../../harness/service.ts";
import { settled } from "../fixtures/axe.ts";
import { expect, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

test.describe.configure({ timeout: 240_000 });

test.beforeEach(async ({ page, cluster, fleet }) => untilFleetIsOk(page, cluster, fleet));

test("the route map shows every node in the block of its table, and a cell opens the route", async ({
  page,
  cluster,
  fleet,
}) => {
  await page.goto(`${cluster}/routes`);
  await page.getByRole("tab", { name: "Map" }).click();
  await expect(page).toHaveURL(/show=map/);
  const blocks = page.getByRole("list", { name: "Route tables" });
  await expect(blocks).toContainText(/of [\d,]+ routes, [\d,]+ more nodes fit/);
  const cells = blocks.getByRole("button", { name: /In sync\s*, route of/ });
  await expect(cells).toHaveCount(fleet, { timeout: 60_000 });
  const cell = blocks.getByRole("button", { name: /route of node-2$/ });
  await cell.focus();
  await page.keyboard.press("ArrowDown");
  await expect(cell).not.toBeFocused();
  await cell.click();
  await expect(page).toHaveURL(/peek=node-2/);
  await expect(page.getByRole("complementary", { name: /Routes of node-2$/ })).toBeVisible();
  await page.getByRole("button", { name: "Only differences" }).click();
  await expect(page.getByText("No node's routes match this filter")).toBeVisible();
});

test("the topology shows every node in its zone, drawn and as a table", async ({ page, fleet }) => {
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Topology" })
    .click();
  await expect(page.getByText(new RegExp(`^${fleet} nodes in \\d+ zones?\\.`))).toBeVisible();
  const picture = page.getByRole("region", { name: /Zones of sandbox with their nodes/ });
  await expect(picture.locator('a[href*="/nodes/"]')).toHaveCount(fleet);
  const table = page.getByRole("table", { name: "Nodes by state" });
  await expect(table).toHaveAttribute("aria-rowcount", String(fleet + 1));

  const place = picture.locator("svg > g").first();
  const whole = (await place.getAttribute("transform")) ?? "";
  await picture.hover();
  await page.mouse.wheel(0, -300);
  await expect(place).not.toHaveAttribute("transform", whole);
  await picture.focus();
  await page.keyboard.press("0");
  await expect(place).toHaveAttribute("transform", whole);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect(place).not.toHaveAttribute("transform", whole);
  await page.getByRole("button", { name: "Fit" }).click();

  await page.getByRole("searchbox", { name: "Find nodes" }).fill("node-3");
  await expect(page).toHaveURL(/q=node-3/);
  await expect(picture.locator('a[href*="/nodes/"]')).toHaveCount(1);
  await picture.locator("a", { hasText: "node-3" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("node-3");
});

test("the topology shows what is behind a Service", async ({ page, cluster, product }) => {
  await product.kube.create(SERVICES, {
    metadata: { name: "drawn" },
    spec: { type: "LoadBalancer", ports: [{ name: "web", port: 443, protocol: "TCP" }] },
  });
  await page.goto(`${cluster}/topology?show=services`);
  const picture = page.getByRole("region", { name: /Services, their load balancers/ });
  await expect(picture).toContainText(/default\/drawn.*443\/TCP → \d+.*\d+ in/, {
    timeout: 60_000,
  });
  const row = page.getByRole("row", { name: /default\/drawn/ });
  await expect(row).toContainText(/443\/TCP/);
  await picture
    .locator("a", { hasText: /\d+ in/ })
    .first()
    .click();
  await expect(page).toHaveURL(/load-balancers\/default\/drawn\?tab=members/);
  await product.kube.delete(`${SERVICES}/drawn`);
});

test("a chart and a table show how long nodes took to initialise, and lead to the runs", async ({
  page,
  fleet,
}) => {
  await page.getByRole("button", { name: "Initialisation" }).click();
  await expect(page).toHaveURL(/init=-24h/);
  const panel = page.getByRole("region", { name: "Initialisation of nodes" });
  await expect(panel).toContainText(new RegExp(`^.*${fleet} nodes were initialised`));
  const bar = panel.getByRole("link", { name: /half within .*, 95 % within / }).last();
  await expect(bar).toHaveAccessibleName(/slowest step/);
  await panel.getByRole("button", { name: "Show as table" }).click();
  await panel.getByRole("table").getByRole("link").first().click();
  await expect(page).toHaveURL(/runs\?q=reason/);
  await expect(page.getByText(/^\d+ runs?( match)?/).first()).toBeVisible();
});

test("dragging over a histogram's bars chooses their time range, as do buttons", async ({
  page,
  cluster,
}) => {
  await page.goto(`${cluster}/runs`);
  const histogram = page.getByRole("region", { name: "Histogram" });
  // The bars still move until the runs have loaded.
  await expect(page.locator("tr[data-peek]").first()).toBeVisible();
  const box = await histogram.getByRole("list").boundingBox();
  if (box === null) throw new Error("The histogram has no place on the page.");
  const level = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.5, level);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.98, level, { steps: 8 });
  await expect(histogram.locator("[data-brushed=true]")).not.toHaveCount(0);
  await page.mouse.up();
  await expect(page).toHaveURL(/from=.*&to=/);
  const chosen = page.url();
  await page.getByRole("button", { name: "Wider time range" }).click();
  await expect(page).not.toHaveURL(chosen);
  await page.goBack();
  await expect(page).toHaveURL(chosen);
  await page.reload();
  await expect(page.getByRole("button", { name: /clear this time range/ })).toBeVisible();
});

test("on a phone the pictures are lists", async ({ page, cluster }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ["/routes?show=map", "/topology"]) {
    await page.goto(`${cluster}${path}`);
    await settled(page, page.getByRole("heading", { level: 1 }));
    await expect(page.getByRole("group", { name: "Zoom" })).toHaveCount(0);
  }
});
