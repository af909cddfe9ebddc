import type { Page, TestInfo } from "@playwright/test";
import type { Instance } from "../harness/cloud.ts";
import type { Product } from "../harness/product.ts";
import { demand } from "../harness/wait.ts";
import { expect, nodeRow, stateCounter, test, untilFleetIsOk } from "./dashboard-test.ts";

const FLEET = 18;
/** Of the guard's default: 5 may go within its window, the others are held. */
const [LOST, REMOVED] = [13, 5];
const HELD = LOST - REMOVED;
const LONG = { timeout: 90_000 };
const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";

test.use({ fleet: FLEET });
test.describe.configure({ mode: "serial" });
test.setTimeout(240_000);

test("a label that the API refuses, and a quota that is used up, need a person at once", async ({
  page,
  cluster,
  product,
}, info) => {
  await untilFleetIsOk(page, cluster, FLEET);
  const { id } = await instanceOf(product, "node-2");
  await product.cloud.change(id, { labels: { "example.org/rack": "two words" } });
  await product.cloud.setFaults({ quotas: { loadBalancers: 0 } });
  await product.kube.patch("/api/v1/nodes/node-2", "merge", {
    spec: { taints: [{ key: UNINITIALIZED, value: "true", effect: "NoSchedule" }] },
  });
  await product.kube.create("/api/v1/namespaces/default/services", {
    ...{ apiVersion: "v1", kind: "Service", metadata: { name: "web" } },
    spec: { type: "LoadBalancer", ports: [{ port: 80, nodePort: 30_080 }] },
  });
  await page.goto(cluster);
  const headline = page.getByText(/^1 node and 1 load balancer need you\./);
  await expect(headline).toBeVisible(LONG);
  await expect(page.getByRole("link", { name: /^Nodes\s*1 stuck/ })).toBeVisible();
  await picture(page, info, "label-and-quota-overview");
  await page.goto(`${cluster}/nodes`);
  await expect(nodeRow(page, "node-2")).toContainText("example.org/rack");
  await picture(page, info, "label-nodes");
  await product.cloud.change(id, { labels: {} });
  await product.cloud.setFaults({});
  await untilFleetIsOk(page, cluster, FLEET);
});

test("machines that vanish at once are the headline, and nodes that the guard holds are Held", async ({
  page,
  cluster,
  product,
}, info) => {
  await untilFleetIsOk(page, cluster, FLEET);
  const lost = Array.from({ length: LOST }, (_, index) => `node-${index + 3}`);
  for (const name of lost) await product.cloud.remove((await instanceOf(product, name)).id);
  await page.goto(cluster);
  const headline = new RegExp(
    `^${LOST} of ${FLEET} machines vanished within\\s\\d+\\smin: ${REMOVED} nodes removed, ${HELD} deletions held\\.`,
  );
  await expect(page.getByText(headline).first()).toBeVisible(LONG);
  await picture(page, info, "vanished-overview");
  await page.goto(`${cluster}/nodes`);
  await expect(page.getByText(headline).first()).toBeVisible();
  await expect(stateCounter(page, "Held")).toHaveText(`Held${HELD}`);
  await stateCounter(page, "Held").click();
  await expect(page.getByText("the deletion guard holds").first()).toBeVisible();
  await picture(page, info, "vanished-held");
  const held = await page.locator("tbody tr[aria-rowindex] a").first().textContent();
  await page.goto(`${cluster}/nodes/${held}?tab=lifecycle`);
  const machine = page.getByRole("region", { name: "The machine" });
  await expect(machine).toContainText("it does not exist");
  await expect(machine).not.toContainText("running");
  await expect(page.getByText("is stuck")).toHaveCount(0);
  await picture(page, info, "vanished-lifecycle");
});

async function picture(page: Page, info: TestInfo, name: string): Promise<void> {
  await page.screenshot({ path: info.outputPath(`${name}.png`), fullPage: true });
}

async function instanceOf({ endpoints }: Product, name: string): Promise<Instance> {
  const { endpoint, token } = endpoints.cloud;
  const answer = await fetch(`${endpoint}/v1/instances?name=${name}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { items } = (await answer.json()) as { items: Instance[] };
  const [instance] = items;
  demand(instance !== undefined, `the cloud has no instance ${name}`);
  return instance;
}
