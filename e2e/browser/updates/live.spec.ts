import { Relay } from "../../harness/relays/relay.ts";
import { expect, rowOf, stateCounter, test, untilFleetIsOk } from "../fixtures/dashboard.ts";

// These tests change the fleet, so they have their own.
test.use({ fleet: 8 });

test("a page whose stream is lost says so, and catches up by itself", async ({
  page,
  product,
  cluster,
  fleet,
}) => {
  await untilFleetIsOk(page, cluster, fleet);
  const relay = await Relay.to(Number(new URL(product.endpoints.dashboard).port));
  await page.goto(`http://127.0.0.1:${relay.port}${cluster}/nodes`);
  const live = page.getByRole("button", { name: /updates/ });
  await expect(live).toHaveText("Live");
  await expect(rowOf(page, "node-1")).toBeVisible();

  await relay.cut();
  await expect(live).toHaveText(/Reconnecting|Stale/);
  await expect(rowOf(page, "node-1")).toBeVisible();
  await product.cloud.put({ name: "node-901", zone: "region-1a" });
  await relay.mend();

  await expect(live).toHaveText("Live");
  await expect(stateCounter(page, "OK")).toHaveText(`OK${fleet + 1}`);
  await expect(rowOf(page, "node-901")).toBeVisible();
  await relay.cut();
});

test("changes in the cluster show without a reload, but not while updates are paused", async ({
  page,
  product,
  cluster,
}) => {
  await page.goto(`${cluster}/nodes?q=node-90`);
  const live = page.getByRole("button", { name: /updates/ });
  await expect(live).toHaveText("Live");
  await product.cloud.put({ name: "node-902", zone: "region-1b" });
  await expect(rowOf(page, "node-902")).toContainText("OK");

  await page.keyboard.press("p");
  await expect(live).toHaveText("Paused");
  await product.cloud.put({ name: "node-903", zone: "region-1b" });
  await expect
    .poll(async () => {
      const { items } = await product.kube.list<{ metadata: { name: string } }>("/api/v1/nodes");
      return items.map(({ metadata }) => metadata.name);
    })
    .toContain("node-903");
  await expect(rowOf(page, "node-903")).toHaveCount(0);
  await page.keyboard.press("p");
  await expect(rowOf(page, "node-903")).toBeVisible();
});

test("rows that arrive while a user reads wait until the user shows them", async ({
  page,
  product,
  cluster,
}) => {
  await page.goto(`${cluster}/nodes?sort=-name`);
  await expect(rowOf(page, "node-1")).toBeVisible();
  await page.keyboard.press("j");
  const first = page.locator("tbody tr[aria-rowindex]").first().getByRole("link").first();
  await expect(first).toBeFocused();
  const name = (await first.textContent()) ?? "";
  await product.cloud.put({ name: "node-999", zone: "region-1a" });
  // The button is within a status, so that it is announced.
  const show = page.getByRole("status").getByRole("button", { name: "1 new — show" });
  await expect(show).toBeVisible({ timeout: 60_000 });
  await expect(rowOf(page, "node-999")).toHaveCount(0);
  await expect(first).toHaveText(name);
  await expect(first).toBeFocused();

  await show.click();
  await expect(first).toHaveText("node-999");
  await expect(show).toHaveCount(0);
  await expect(page.getByRole("group", { name: "Nodes" })).toBeFocused();
});

test("a reload shows the same view", async ({ page, cluster }) => {
  await page.goto(`${cluster}/nodes/node-1?tab=facts`);
  await expect(page.getByRole("tab", { name: /^Facts/, selected: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("tab", { name: /^Facts/, selected: true })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("node-1");
});
