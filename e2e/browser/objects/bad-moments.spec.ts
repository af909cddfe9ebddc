import type { Product } from "../../harness/product.ts";
import { settled, soundWithLinks } from "../fixtures/axe.ts";
import { expect, rowOf, stateCounter, test, untilFleetIsOk } from "../fixtures/dashboard.ts";
import { snapshot } from "../fixtures/pictures.ts";

const FLEET = 18;
/** By default, the guard lets 5 nodes be deleted within its window and holds the others. */
const [LOST, REMOVED] = [13, 5];
const HELD = LOST - REMOVED;
/** Less than the 2 minutes after which a problem that may pass by itself counts as stuck. */
const LONG = { timeout: 90_000 };
const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";

test.use({ fleet: FLEET });
test.describe.configure({ mode: "serial" });
test.setTimeout(240_000);

test("a label that the API refuses, and an exhausted quota, need a user immediately", async ({
  page,
  cluster,
  product,
}, info) => {
  await untilFleetIsOk(page, cluster, FLEET);
  const { id } = await product.cloud.named("node-2");
  await product.cloud.change(id, { labels: { "example.org/rack": "two words" } });
  await product.cloud.setFaults({ quotas: { loadBalancers: 0 } });
  await taint(product, "node-2");
  await product.kube.create("/api/v1/namespaces/default/services", {
    ...{ apiVersion: "v1", kind: "Service", metadata: { name: "web" } },
    spec: { type: "LoadBalancer", ports: [{ port: 80, nodePort: 30_080 }] },
  });
  await page.goto(cluster);
  const headline = page.getByText(/^1 node and 1 load balancer need you\./);
  await expect(headline).toBeVisible(LONG);
  await expect(page.getByRole("link", { name: /^Nodes\s*1 stuck/ })).toBeVisible();
  await snapshot(page, info, "label-and-quota-overview");
  await page.goto(`${cluster}/nodes`);
  await expect(rowOf(page, "node-2")).toContainText("example.org/rack");
  await snapshot(page, info, "label-nodes");
  await product.cloud.change(id, { labels: {} });
  await product.cloud.setFaults({});
  await untilFleetIsOk(page, cluster, FLEET);
});

test("the headline says that no node can be observed, with the cause, and nothing is ticked", async ({
  page,
  cluster,
  product,
}, info) => {
  await untilFleetIsOk(page, cluster, FLEET);
  await product.cloud.setFaults({ rules: [{ method: "GET", path: "/v1/*", status: 503 }] });
  for (let index = 1; index <= FLEET; index++) await taint(product, `node-${index}`);
  await page.goto(cluster);
  const headline = new RegExp(
    `^${FLEET} of ${FLEET} nodes could not be observed for .+: sandbox failed on `,
  );
  await expect(page.getByText(headline).first()).toBeVisible(LONG);
  await expect(page.getByText(/^Nothing needs you/)).toHaveCount(0);
  await expect(page.getByText(/\bAll \d+ nodes\b/)).toHaveCount(0);
  await snapshot(page, info, "unknown-overview");
  await page.goto(`${cluster}/nodes`);
  await expect(page.getByText(headline).first()).toBeVisible();
  await expect(stateCounter(page, "Unknown")).toHaveText(`Unknown${FLEET}`);
  await snapshot(page, info, "unknown-nodes");
  await product.cloud.setFaults({});
  await untilFleetIsOk(page, cluster, FLEET);
});

test("the headline names machines that vanish together, and nodes that the guard holds are Held", async ({
  page,
  cluster,
  product,
}, info) => {
  await untilFleetIsOk(page, cluster, FLEET);
  const lost = Array.from({ length: LOST }, (_, index) => `node-${index + 3}`);
  await product.cloud.forgetCalls();
  for (const name of lost) await product.cloud.remove((await product.cloud.named(name)).id);
  await page.goto(cluster);
  const headline = new RegExp(
    `^${LOST} of ${FLEET} machines vanished within\\s\\d+\\smin: ${REMOVED} nodes removed, ${HELD} deletions held\\.`,
  );
  await expect(page.getByText(headline).first()).toBeVisible(LONG);
  await snapshot(page, info, "vanished-overview");
  await page.goto(`${cluster}/nodes`);
  await expect(page.getByText(headline).first()).toBeVisible();
  await expect(stateCounter(page, "Held")).toHaveText(`Held${HELD}`);
  await stateCounter(page, "Held").click();
  const held = page.locator("tbody tr[aria-rowindex]");
  await expect(held).toHaveCount(HELD);
  for (const row of await held.all()) {
    await expect(row).toContainText(
      /The deletion guard holds .+ says that .+ does not exist, and /,
    );
  }
  await snapshot(page, info, "vanished-held");
  const name = await held.first().getByRole("link").first().textContent();
  await page.goto(`${cluster}/nodes/${name}?tab=lifecycle`);
  const machine = page.getByRole("region", { name: "The machine" });
  await expect(machine).toContainText("it does not exist");
  await expect(machine).not.toContainText("running");
  await expect(page.getByText("been stuck")).toHaveCount(0);
  await expect(
    page.getByText(/It has no route because its machine .+ does not exist/),
  ).toBeVisible();
  await snapshot(page, info, "vanished-lifecycle");
  for (const path of ["", "/nodes", `/nodes/${name}`, "/runs", "/audit", "/budget"]) {
    await page.goto(cluster + path);
    await settled(page, page.getByRole("heading", { level: 1 }));
    await soundWithLinks(page, path);
  }
  const { byOperation } = await product.cloud.calls();
  expect(Object.keys(byOperation), "what was asked of the cloud").not.toContain("POST /v1/routes");
});

/** Taints the node, so that it is initialised again. */
function taint({ kube }: Product, name: string): Promise<unknown> {
  return kube.patch(`/api/v1/nodes/${name}`, "merge", {
    spec: { taints: [{ key: UNINITIALIZED, value: "true", effect: "NoSchedule" }] },
  });
}
