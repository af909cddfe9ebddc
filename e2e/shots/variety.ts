import type { Page } from "@playwright/test";
import {
  type LoadBalancerFixture,
  makeLoadBalancerFixture,
} from "../harness/load-balancer-fixture.ts";
import type { Product } from "../harness/product.ts";

const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";
const TAINT = { spec: { taints: [{ key: UNINITIALIZED, value: "true", effect: "NoSchedule" }] } };
const LONG = { timeout: 240_000 };

/** Addresses of objects that the problems have affected. */
export interface Variety {
  readonly balancers: LoadBalancerFixture;
  readonly run: string;
  readonly failedRun: string;
  readonly action: string;
}

/**
 * Creates nodes in different states: one stopped, one gone, one whose lookups are refused until it is stuck, one with a wrong node
 * IP, one held, and one retried by a user.
 */
export async function makeVariety(product: Product, page: Page, cluster: string): Promise<Variety> {
  const { cloud, kube } = product;
  await page.goto(`${cluster}/nodes`);
  await page.getByText("All 24 nodes are in sync").waitFor(LONG);
  const loadBalancers = await makeLoadBalancerFixture(product, 24);
  const refused = await product.cloud.named("node-5");
  await cloud.fault({ instance: refused.id, status: 403 });
  await kube.patch("/api/v1/nodes/node-7", "merge", {
    metadata: { annotations: { "alpha.kubernetes.io/provided-node-ip": "192.0.2.99" } },
    ...TAINT,
  });
  await kube.patch("/api/v1/nodes/node-9", "merge", {
    metadata: { annotations: { "cloudwright.io/hold": "disk check, INC-91" } },
  });
  const stopped = await product.cloud.named("node-3");
  await cloud.stop(stopped.id);
  await cloud.remove((await product.cloud.named("node-4")).id);

  await page.goto(`${cluster}/nodes/node-2`);
  await page.getByRole("button", { name: "Retry now" }).click();
  await page.getByRole("textbox", { name: /Reason/ }).fill("INC-88: looked at after the outage");
  await page.getByRole("button", { name: "Retry node" }).click();
  const tray = page.getByRole("region", { name: "Your actions" });
  await tray.getByText("Verified", { exact: true }).first().waitFor(LONG);
  const action = await tray.getByRole("link").first().getAttribute("href");
  await page.goto(`${cluster}/nodes/node-4`);
  await page.getByText("is gone").first().waitFor(LONG);
  // Not earlier: the controller may initialise a node from an answer of the cloud up to 10 s old.
  await kube.patch("/api/v1/nodes/node-5", "merge", TAINT);
  await page.goto(`${cluster}/nodes/node-5`);
  await page.getByText("node-5 has been stuck").first().waitFor(LONG);
  return {
    balancers: loadBalancers,
    action: action ?? "",
    run: await firstRun(page, `${cluster}/runs?q=key:node-2+outcome:changed`),
    failedRun: await firstRun(page, `${cluster}/runs?q=key:node-5+reason:ProviderUnauthorized`),
  };
}

async function firstRun(page: Page, list: string): Promise<string> {
  await page.goto(list);
  const link = page.locator('tbody a[href*="/runs/"]').first();
  await link.waitFor();
  return (await link.getAttribute("href")) ?? "";
}
