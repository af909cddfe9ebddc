import type { Page } from "@playwright/test";
import { type KubeEvent, KubeFailure, type Node } from "../../harness/kube.ts";
import type { Product } from "../../harness/product.ts";
import { demand, eventually } from "../../harness/wait.ts";
import { expect, rowOf, SIGNED_OUT, stateCounter, test } from "../fixtures/dashboard.ts";

const FLEET = 12;
const SHUTDOWN = "node.cloudprovider.kubernetes.io/shutdown";
const UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";
const REASON = "INC-88: the cloud's permissions are back";

test.use({ fleet: FLEET, storageState: SIGNED_OUT });
test.describe.configure({ mode: "serial" });

let page: Page;
test.beforeAll(async ({ browser, product }) => {
  const context = await browser.newContext({
    baseURL: product.endpoints.dashboard,
    viewport: { width: 1440, height: 900 },
  });
  page = await context.newPage();
});
test.afterAll(() => page.context().close());

test("the link signs in one user, once", async ({ product, browser }) => {
  const { signInUrl } = product.endpoints;
  await page.goto(signInUrl);
  await page.getByRole("button", { name: /^Sign in as/ }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();

  const second = await browser.newPage();
  await second.goto(signInUrl);
  await expect(
    second.getByRole("heading", { name: "This link does not sign you in" }),
  ).toBeVisible();
  await expect(second.getByRole("button", { name: /^Sign in as/ })).toHaveCount(0);
  await expect(second.getByText(/already been used|works? once/)).toBeVisible();
  await second.close();
});

test("all nodes become initialised", async ({ cluster }) => {
  await page.goto(`${cluster}/nodes`);
  await expect(stateCounter(page, "OK")).toHaveText(`OK${FLEET}`, { timeout: 60_000 });
  await expect(page.getByText(`All ${FLEET} nodes are in sync with the cloud.`)).toBeVisible();
});

test("a stopped instance taints its node, and the page says so", async ({ product, cluster }) => {
  const instance = await product.cloud.named("node-3");
  await product.cloud.stop(instance.id);
  await page.goto(`${cluster}/nodes`);
  await expect(rowOf(page, "node-3")).toContainText("Its instance is stopped in sandbox", {
    timeout: 60_000,
  });
  await rowOf(page, "node-3").getByRole("link", { name: "node-3", exact: true }).click();
  await expect(page.getByText("Its instance is stopped in sandbox")).toBeVisible();
  await page.getByRole("tab", { name: "Lifecycle" }).click();
  // Until the tab has opened, the timeline is shown, which also names the taint.
  await expect(page.getByRole("tabpanel", { name: "Lifecycle" })).toBeVisible();
  await expect(page.getByText(`${SHUTDOWN}:NoSchedule`)).toBeVisible();
  await expect(page.getByRole("region", { name: "The machine" })).toContainText("stopped");
  await expect
    .poll(async () => (await node(product, "node-3")).spec.taints?.map(({ key }) => key))
    .toContain(SHUTDOWN);
});

test("the node of a deleted instance is deleted, and its history stays", async ({
  product,
  cluster,
}) => {
  const instance = await product.cloud.named("node-3");
  await page.goto(`${cluster}/nodes`);
  await product.cloud.remove(instance.id);
  await expect(stateCounter(page, "Gone")).toHaveText("Gone1", { timeout: 60_000 });
  const read = await node(product, "node-3").catch((error: unknown) => error);
  expect(read).toBeInstanceOf(KubeFailure);
  expect(read).toHaveProperty("status", 404);

  await stateCounter(page, "Gone").click();
  await rowOf(page, "node-3").getByRole("link", { name: "node-3", exact: true }).click();
  await expect(page.getByRole("button", { name: "Retry now" })).toHaveCount(0);
  await expect(page.getByText(/does not exist|no longer in the cluster/).first()).toBeVisible();
  await page.getByRole("tab", { name: "Runs" }).click();
  await expect(page.getByRole("link", { name: /Changed/ }).first()).toBeVisible();
});

test("a failing lookup is explained, retried by a user and verified", async ({
  product,
  cluster,
}) => {
  const lift = await product.cloud.fault({
    instance: (await product.cloud.named("node-5")).id,
    status: 403,
  });
  await product.kube.patch("/api/v1/nodes/node-5", "merge", {
    spec: { taints: [{ key: UNINITIALIZED, value: "true", effect: "NoSchedule" }] },
  });

  await page.goto(`${cluster}/nodes/node-5`);
  const said = page.getByText(/rejected our credentials for .*403/).first();
  await expect(said).toBeVisible();
  const diagnosis = page.getByText(/^Node node-5 (has been|is|could not be observed) /);
  await expect(diagnosis).toContainText(
    /sandbox rejected our credentials for GET .* \(status 403, request /i,
  );
  await expect(diagnosis).toContainText(
    "Check the credentials and their permissions in the cloud config.",
  );
  await sameInEvent(product, "node-5", diagnosis);
  const chip = diagnosis.getByRole("link", { name: /^Request .*, open its run$/ });
  await expect(chip).toHaveText(/^\S{8}$/);
  await expect(
    diagnosis.getByRole("button", { name: /^Copy the request ID \S{20,}$/ }),
  ).toBeVisible();
  await chip.click();
  await expect(page).toHaveURL(/\/runs(\/[0-9a-f-]{36}|\?q=request)/);
  await page.goBack();

  await lift();
  await page.getByRole("button", { name: "Retry now" }).click();
  const dialog = page.getByRole("dialog", { name: "Retry node node-5" });
  await dialog.getByRole("textbox", { name: /Reason/ }).fill(REASON);
  await dialog.getByRole("button", { name: "Retry node" }).click();
  await expect(dialog).toBeHidden();

  const tray = page.getByRole("region", { name: "Your actions" });
  await expect(tray).toContainText("Verified");
  await expect
    .poll(async () => (await node(product, "node-5")).spec.taints ?? [], { timeout: 30_000 })
    .toEqual([]);
  await expect(page.getByText("Node node-5 is OK")).toBeVisible();

  await tray.getByRole("link", { name: "Retry node node-5" }).click();
  await expect(page.getByRole("heading", { name: "Retry node node-5" })).toBeVisible();
  await expect(page.getByText(REASON).first()).toBeVisible();
  const record = page.getByRole("region", { name: "Record" });
  await expect(record.getByRole("listitem").filter({ hasText: "requested it" })).toContainText(
    REASON,
  );
  await expect(record.getByRole("listitem").filter({ hasText: "ended it" })).toBeVisible();
});

test("Runs lists all of these runs, each with its waterfall", async ({ cluster }) => {
  await page.goto(`${cluster}/runs?q=key:node-5+outcome:changed`);
  const table = page.getByRole("table", { name: "Runs" });
  await expect(table.getByRole("link", { name: "node-5" }).first()).toBeVisible();
  await page.goto(`${cluster}/runs?q=key:node-5+trigger:intent`);
  // The retry may have changed nothing if the loop's own retry came first. Then all loops are OK, and all of them are retried.
  const asked = table.getByRole("row").filter({ hasText: "requested by" });
  await expect(asked.filter({ hasText: "Node initialisation" })).toHaveCount(1);
  for (const other of ["Node lifecycle", "Node IPAM", "Routes"])
    expect(await asked.filter({ hasText: other }).count()).toBeLessThanOrEqual(1);
  await page.goto(`${cluster}/runs?q=key:node-5+reason:ProviderUnauthorized`);
  await table
    .getByRole("link", { name: /Failed|Blocked|Requeued/ })
    .first()
    .click();

  await expect(page.getByRole("tab", { name: "Waterfall", selected: true })).toBeVisible();
  const call = page.getByRole("tabpanel").getByRole("button", { name: /cloud.*403/ });
  await expect(call.first()).toBeVisible();
  await call.first().click();
  await expect(page).toHaveURL(/span=/);
  await expect(page.getByRole("tabpanel")).toContainText("Request");
});

function node(product: Product, name: string): Promise<Node> {
  return product.kube.get<Node>(`/api/v1/nodes/${name}`);
}

/** Checks that the Event gives the same cause and advice as the page, word for word. */
async function sameInEvent(
  product: Product,
  name: string,
  diagnosis: ReturnType<Page["getByText"]>,
): Promise<void> {
  await eventually(async () => {
    const { items } = await product.kube.list<KubeEvent>("/api/v1/namespaces/default/events");
    const messages = items
      .filter(({ involvedObject, type }) => involvedObject.name === name && type === "Warning")
      .map(({ message }) => message);
    const text = comparable((await diagnosis.textContent()) ?? "");
    const isSaid = messages.some((message) => {
      const [cause = "", advice = ""] = comparable(message).split(/\. (?=check)/);
      return text.includes(cause) && text.includes(advice) && advice !== "";
    });
    demand(isSaid, `no Event says "${text}"; they say ${JSON.stringify(messages)}`);
  });
}

/** Removes what differs between attempts, and normalises spaces and capital letters. */
function comparable(text: string): string {
  return text
    .replaceAll(/, request \S+?\)/g, ")")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
}
