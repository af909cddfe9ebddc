import type { Locator, Page } from "@playwright/test";
import type { Node } from "../../harness/kube.ts";
import { sound } from "../fixtures/axe.ts";
import { expect, rowOf, test, tray, untilFleetIsOk } from "../fixtures/dashboard.ts";
import { snapshot } from "../fixtures/pictures.ts";

/** A unique fleet size gives this spec its own product, which gets a node unknown to the cloud. */
const FLEET = 4;
const NAME = "node-950";
const UNINITIALIZED = {
  key: "node.cloudprovider.kubernetes.io/uninitialized",
  value: "true",
  effect: "NoSchedule",
};
const LOOPS = ["Node initialisation", "Routes"];

test.use({ fleet: FLEET });
test.describe.configure({ mode: "serial" });
test.setTimeout(180_000);

test("a retry of a node whose initialisation and route are not OK previews both, and fails with the cause", async ({
  page,
  cluster,
  product,
}, info) => {
  await untilFleetIsOk(page, cluster, FLEET);
  await product.kube.create("/api/v1/nodes", {
    ...{ apiVersion: "v1", kind: "Node", metadata: { name: NAME } },
    spec: { taints: [UNINITIALIZED] },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  });
  await expect(rowOf(page, NAME)).toContainText(/Waiting|Stuck/);
  await page.goto(`${cluster}/nodes/${NAME}?tab=lifecycle`);
  for (const loop of LOOPS) {
    const card = page.locator("section").filter({ has: page.getByRole("heading", { name: loop }) });
    await expect(card).toContainText(/(is|been) (waiting|stuck|being worked on|worked on)/);
  }
  const preview = await openRetry(page);
  await expect(preview).toContainText(
    `Node initialisation: No instance in sandbox is named ${NAME}`,
  );
  await expect(preview).toContainText("Routes: ");
  await expect(preview).not.toContainText("If every write succeeds");
  await sound(page, "retry of two loops");
  await snapshot(page, info, "retry-preview");

  await page.getByRole("button", { name: "Retry node" }).click();
  await expect(trayItem(page).first()).toContainText("Failed", { timeout: 60_000 });
  await snapshot(page, info, "retry-failed-tray");
  await trayItem(page)
    .first()
    .getByRole("link", { name: `Retry node ${NAME}` })
    .click();
  await expect(loopLine(page, "Node initialisation")).toContainText("Failed");
  await expect(loopLine(page, "Node initialisation")).toContainText(NAME);
  await expect(loopLine(page, "Routes")).toBeVisible();
  await snapshot(page, info, "retry-failed");
});

test("the same retry is verified once each loop has seen the effect, and not before", async ({
  page,
  cluster,
  product,
}, info) => {
  await product.cloud.put({ name: NAME, zone: "region-1a" });
  await page.goto(`${cluster}/nodes/${NAME}`);
  const preview = await openRetry(page);
  await expect(preview).toContainText("Node initialisation: ");
  await page.getByRole("button", { name: "Retry node" }).click();
  await expect(trayItem(page).first()).toContainText("Verified", { timeout: 60_000 });
  const { spec } = await product.kube.get<Node>(`/api/v1/nodes/${NAME}`);
  expect(spec.taints?.map(({ key }) => key) ?? []).not.toContain(UNINITIALIZED.key);
  await trayItem(page)
    .first()
    .getByRole("link", { name: `Retry node ${NAME}` })
    .click();
  for (const loop of LOOPS) await expect(loopLine(page, loop)).toContainText("Verified");
  await snapshot(page, info, "retry-verified");
});

async function openRetry(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Retry now" }).click();
  const dialog = page.getByRole("dialog", { name: `Retry node ${NAME}` });
  const preview = dialog.getByRole("region", { name: "Effect now" });
  await expect(preview).toContainText("planned");
  return preview;
}

function trayItem(page: Page): Locator {
  return tray(page).getByRole("article");
}

/** Returns the line about one loop on the action's page. */
function loopLine(page: Page, loop: string): Locator {
  const lines = page.getByRole("main").getByRole("list", { name: "Each controller" });
  return lines.getByRole("listitem").filter({ hasText: loop });
}
