import { randomUUID } from "node:crypto";
import { Cloud } from "../../harness/cloud.ts";
import { Kube } from "../../harness/kube.ts";
import type { ClusterEndpoints, Product } from "../../harness/product.ts";
import { sound } from "../fixtures/axe.ts";
import { expect, SIGNED_OUT, stateCounter, test } from "../fixtures/dashboard.ts";
import { snapshot } from "../fixtures/pictures.ts";

const FLEET = 3;
/** Two clusters, each with its own cloud and controller, on one database. */
test.use({ fleet: FLEET, clusters: 2 });
test.describe.configure({ mode: "serial" });
test.setTimeout(240_000);

/** A change takes a reconcile, its record and the page's next query to reach a page. */
const LONG = { timeout: 90_000 };
const PASSWORD = "correct horse battery";

test("every cluster is one row with its leader, and is OK once its own controller reports so", async ({
  page,
}, info) => {
  await page.goto("/");
  const rows = page.getByRole("list", { name: "Clusters, worst first" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  for (const row of [rows.nth(0), rows.nth(1)]) {
    await expect(row.getByText("OK", { exact: true })).toBeVisible(LONG);
    await expect(row).toContainText(/All 3 nodes? and 3 routes are in sync/);
    await expect(row).toContainText(/Leader .+ Last record /);
  }
  await expect(page.getByText("Nothing needs you in any of the 2 clusters.")).toBeVisible();
  const bar = page.getByRole("banner");
  const name = await bar.getByRole("link", { name: "Cloudwright, clusters" }).boundingBox();
  const search = await bar.getByRole("button", { name: /^Search or jump/ }).boundingBox();
  const gap = (search?.x ?? 0) - (name?.x ?? 0) - (name?.width ?? 0);
  expect(gap, "the name stands apart from the search").toBeGreaterThanOrEqual(20);
  await snapshot(page, info, "fleet-ok");
});

test("switching the cluster keeps page and filter", async ({ page, cluster }) => {
  await page.goto(`${cluster}/nodes?state=ok`);
  await page.getByRole("button", { name: "Cluster sandbox", exact: true }).click();
  await page.getByRole("menuitem", { name: "sandbox-2" }).click();
  await expect(page.getByRole("button", { name: "Cluster sandbox-2" })).toBeVisible();
  await expect(page).toHaveURL(/\/c\/[^/]+\/nodes\?state=ok$/);
  expect(page.url()).not.toContain(cluster);
  await expect(stateCounter(page, "OK")).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Cluster sandbox-2" }).click();
  await page.getByRole("menuitem", { name: "All clusters" }).click();
  await expect(page.getByRole("heading", { name: "Clusters" })).toBeVisible();
});

test("a search covers all clusters, and leads to the one with the match", async ({
  page,
  product,
}, info) => {
  const cloud = new Cloud(second(product).cloud);
  const { id } = await cloud.named("node-2");
  await cloud.close();
  await page.goto("/");
  await expect(page.getByRole("searchbox", { name: "Search all clusters" })).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("node-2");
  await expect(page.getByText("Found in 2 of 2 clusters.")).toBeVisible();
  await snapshot(page, info, "fleet-search");
  await page.getByRole("searchbox", { name: "Search all clusters" }).fill(id);
  await expect(page.getByText("Found in 1 of 2 clusters.")).toBeVisible();
  await page
    .getByRole("region", { name: "sandbox-2" })
    .getByRole("link", { name: "node-2", exact: true })
    .click();
  await expect(page.getByRole("button", { name: "Cluster sandbox-2" })).toBeVisible();
  await expect(page).toHaveURL(/\/nodes\/node-2$/);
});

test("a cause of stuck objects in both clusters is shown once", async ({ page, product }, info) => {
  for (const { cloud, kubeconfig } of product.endpoints.clusters ?? []) {
    await withoutQuota(cloud);
    await addService(kubeconfig);
  }
  await page.goto("/");
  const causes = page.getByRole("region", { name: "Same cause in several clusters" });
  await expect(causes).toContainText("Same cause in 2 clusters: 2 load balancers", LONG);
  await expect(causes).toContainText(/A quota of sandbox is used up/);
  await expect(causes.getByRole("link", { name: "default/web" })).toHaveCount(2);
  await expect(page.getByText("2 of 2 clusters need you.")).toBeVisible();
  await sound(page, "all clusters");
  await snapshot(page, info, "fleet-same-cause");
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await snapshot(page, info, "fleet-phone");
});

test("versions and flags are compared", async ({ page }, info) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Compare versions and flags" }).click();
  await expect(page.getByText(/flags? of \d+ differs? between 2 clusters/)).toBeVisible();
  const row = page.getByRole("row", { name: /--cluster-name/ });
  await expect(row.getByText("sandbox-2", { exact: true }).first()).toBeVisible();
  await snapshot(page, info, "fleet-compare");
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test("a user of one cluster sees nothing of the other, whatever they request", async ({
  openPage,
  openClient,
  admin,
  product,
  cluster,
}) => {
  const own = cluster.slice("/c/".length);
  const email = `ana.${randomUUID().slice(0, 8)}@example.test`;
  const asAdmin = await openClient(admin);
  const mutate = async (path: string, json: object) => {
    const answer = await asAdmin.post(`/api/trpc/${path}`, { data: { json } });
    expect(answer.status(), await answer.text()).toBe(200);
    return (await answer.json()).result.data.json;
  };
  const user = { name: "Ana", email, role: "viewer", password: PASSWORD };
  const { person } = await mutate("people.create", user);
  await mutate("people.setClusters", { id: person.id, clusters: [own] });

  const page = await openPage(SIGNED_OUT);
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  // `/` leads to the only cluster of a user.
  await page.waitForURL((url) => url.pathname === cluster);
  const query = async (path: string, json?: object) => {
    const input =
      json === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify({ json }))}`;
    const answer = await page.request.get(`/api/trpc/${path}${input}`);
    return (await answer.json()).result.data.json;
  };
  const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);
  expect(names(await query("clusters.list"))).toEqual(["sandbox"]);
  expect(names((await query("fleet.find", { text: "node-2" })).clusters)).toEqual(["sandbox"]);
  expect(await query("fleet.causes")).toEqual([]);
  expect(names((await query("fleet.settings")).clusters)).toEqual(["sandbox"]);
  expect(second(product).name).toBe("sandbox-2");
});

function second({ endpoints }: Product): ClusterEndpoints {
  const cluster = endpoints.clusters?.[1];
  if (cluster === undefined) throw new Error("there is no second cluster");
  return cluster;
}

async function withoutQuota(ready: ClusterEndpoints["cloud"]): Promise<void> {
  const cloud = new Cloud(ready);
  await cloud.setFaults({ quotas: { loadBalancers: 0 } });
  await cloud.close();
}

async function addService(kubeconfig: string): Promise<void> {
  const kube = new Kube(kubeconfig);
  await kube.create("/api/v1/namespaces/default/services", {
    ...{ apiVersion: "v1", kind: "Service", metadata: { name: "web" } },
    spec: { type: "LoadBalancer", ports: [{ port: 80, nodePort: 30_080 }] },
  });
  await kube.close();
}
