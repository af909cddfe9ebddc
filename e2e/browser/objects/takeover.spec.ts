import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { rowsOf } from "../../harness/database.ts";
import { allLoadBalancers, SERVICE_TAG } from "../../harness/load-balancers.ts";
import type { Product } from "../../harness/product.ts";
import { allRoutes } from "../../harness/routes.ts";
import { makeTakeoverFixture, type TakeoverFixture } from "../../harness/takeover-fixture.ts";
import { fitsNarrow, settled, sound } from "../fixtures/axe.ts";
import { test as base, expect, rowOf, tray } from "../fixtures/dashboard.ts";

/** A unique fleet size gives this spec its own product, which it changes. */
const FLEET = 6;

const test = base.extend<object, { readonly fixture: TakeoverFixture }>({
  fixture: [
    async ({ product, fleet }, use) => use(await makeTakeoverFixture(product, fleet)),
    { scope: "worker", timeout: 240_000 },
  ],
});

test.use({ fleet: FLEET });

test("the Overview leads to objects that await adoption, with the cloud's state, the reason and the effect of consent", async ({
  page,
  cluster,
  fixture,
}) => {
  await page.goto(cluster);
  await expect(
    page.getByText(
      "3 load balancers and 2 routes of an earlier manager are waiting for your consent.",
    ),
  ).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Pages" })).toContainText("Takeover5");
  await page.getByRole("link", { name: "Show what is waiting" }).click();
  await expect(page).toHaveURL(/\/takeover$/);
  await expect(
    page.getByText(
      "3 load balancers and 2 routes of an earlier manager are waiting for your consent; 1 was adopted by two proofs.",
    ),
  ).toBeVisible();
  for (const { service, balancer: loadBalancer } of fixture.waiting) {
    const row = rowOf(page, service);
    await expect(row).toContainText(loadBalancer);
    await expect(row).toContainText("but not the address that the Service publishes");
    await expect(row).toContainText("brings it in line with the Service");
  }
  const shared = rowOf(page, fixture.shared.service);
  await expect(shared).toContainText("Cannot be adopted");
  await expect(shared).toContainText("53/UDP");
  await expect(shared.getByRole("checkbox")).toHaveCount(0);
  await expect(shared.getByRole("button", { name: /^Adopt…/ })).toHaveAttribute(
    "aria-description",
    /remove that first/,
  );
  await expect(rowOf(page, "node-4")).toContainText("Removes it");

  await page.getByRole("searchbox", { name: "Filter by name" }).fill("legacy-w");
  await expect(page).toHaveURL(/q=legacy-w/);
  await expect(rowOf(page, "node-4")).toHaveCount(0);
  await expect(rowOf(page, "default/legacy-web")).toBeVisible();
  await page.getByRole("searchbox", { name: "Filter by name" }).fill("nobody");
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(rowOf(page, "node-4")).toBeVisible();

  await page.getByRole("tab", { name: /^Adopted/ }).click();
  await expect(page).toHaveURL(/view=adopted/);
  const moved = rowOf(page, fixture.adopted.service);
  await expect(moved).toContainText(fixture.adopted.balancer);
  await expect(moved).toContainText("Two proofs");
  await moved.getByRole("link", { name: /^Run/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(fixture.adopted.service);
  await page.goBack();
  await page.getByRole("tab", { name: "Only reported" }).click();
  await expect(page.getByText("No route is only reported")).toBeVisible();
});

test.describe("a viewer", () => {
  test("sees everything and learns who may adopt, while the server refuses even batches of previews", async ({
    openPage,
    product,
    cluster,
    fixture,
  }) => {
    const page = await openPage("viewer");
    await page.goto(`${cluster}/takeover`);
    await page.getByRole("checkbox", { name: "Select default/legacy-web" }).check();
    for (const name of [/^Adopt 1 cloud resource…/, /^Adopt… default\/legacy-web/]) {
      const button = page.getByRole("button", { name });
      await expect(button).toHaveAttribute("aria-disabled", "true");
      await expect(button).toHaveAttribute("aria-description", /Needs role admin/);
    }
    const before = await countIntents(product);
    for (const kind of ["adopt", "preview"]) {
      const answer = await page.request.post("/api/trpc/intents.requestBatch", {
        data: { json: batchOf(cluster, fixture, kind) },
        headers: { origin: product.endpoints.dashboard },
      });
      expect(answer.status(), kind).toBe(403);
    }
    expect(await countIntents(product)).toBe(before);
  });
});

test.describe("in light and dark", () => {
  test.use({ reducedMotion: "reduce" });

  test("the page and its dialogs have no fault", async ({ page, cluster, fixture }) => {
    await page.goto(`${cluster}/takeover`);
    await settled(page, page.getByText(fixture.shared.balancer).first());
    await sound(page, "what waits");
    await selectAll(page);
    await page.getByRole("button", { name: /^Adopt \d cloud resources…/ }).click();
    await settled(page, page.getByText(/of \d cloud resources would change/));
    await sound(page, "adopt many");
    for (const list of ["adopted", "reported"]) {
      await page.goto(`${cluster}/takeover?view=${list}`);
      await settled(page, page.getByRole("tabpanel"));
      await sound(page, list);
    }
    await page.goto(`${cluster}/nodes/node-3`);
    await page.getByRole("button", { name: "Adopt…" }).click();
    await settled(page, page.getByRole("dialog").getByText("1 route is deleted"));
    await sound(page, "adopt a route");
  });
});

test("at a width of 320 px, no list scrolls sideways", async ({ page, cluster, fixture }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const list of ["waiting", "adopted", "reported"]) {
    await page.goto(`${cluster}/takeover?view=${list}`);
    await settled(page, page.getByRole("heading", { level: 1 }));
    await fitsNarrow(page, list);
  }
  await page.goto(`${cluster}/takeover`);
  const shared = rowOf(page, fixture.shared.service);
  await expect(shared.getByText(/^Cannot be adopted/)).toBeVisible();
  const [card, button] = await Promise.all([
    shared.boundingBox(),
    shared.getByRole("button", { name: /^Adopt…/ }).boundingBox(),
  ]);
  const endOf = (box: typeof card) => (box?.y ?? 0) + (box?.height ?? 0);
  expect(endOf(button), "the end of the button within its card").toBeLessThanOrEqual(endOf(card));
  await selectAll(page);
  await fitsNarrow(page, "with a selection");
});

test.describe("actions", () => {
  test("a node's page adopts its route after the route's ID is typed", async ({
    page,
    cluster,
    product,
    fixture,
  }) => {
    const [left] = fixture.routes;
    const { node = "", route = "" } = left ?? {};
    await page.goto(`${cluster}/nodes/${node}`);
    await page.getByRole("button", { name: "Adopt…" }).click();
    const dialog = page.getByRole("dialog", { name: `Adopt route ${route} for node ${node}` });
    await expect(dialog.getByText("1 route is deleted")).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
    await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-95: the old manager's");
    await dialog.getByRole("button", { name: "Adopt route" }).click();
    await expect(dialog.getByText(`Type exactly ${route}.`)).toBeVisible();
    await dialog.getByRole("textbox", { name: /Type the route's ID/ }).fill(route);
    await dialog.getByRole("button", { name: "Adopt route" }).click();
    await expect(tray(page)).toContainText("Verified");
    expect((await allRoutes(product.cloud)).map(({ id }) => id)).not.toContain(route);
    await expect(page.getByRole("button", { name: "Adopt…" })).toHaveCount(0);
  });

  test("only selected objects are adopted, together and as their plans said", async ({
    page,
    cluster,
    product,
    fixture,
  }) => {
    await page.goto(`${cluster}/takeover`);
    await expect(rowOf(page, "default/legacy-web")).toBeVisible();
    await selectAll(page);
    await expect(page.getByText("3 cloud resources selected")).toBeVisible();
    await page.getByRole("button", { name: "Adopt 3 cloud resources…" }).click();
    const dialog = page.getByRole("dialog", { name: "Adopt 3 cloud resources" });
    await expect(dialog.getByText("3 of 3 cloud resources would change.")).toBeVisible();
    const line = dialog.getByRole("listitem").filter({ hasText: "default/legacy-web" });
    await expect(line).toContainText("Adopt load balancer");
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();

    const confirm = dialog.getByRole("button", { name: "Adopt 3 cloud resources" });
    await confirm.click();
    await expect(dialog.getByText("Enter a reason: it is kept in the audit record.")).toBeVisible();
    await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-96: the takeover");
    const number = dialog.getByRole("textbox", { name: /Type the number of cloud resources/ });
    await number.fill("2");
    await confirm.click();
    await expect(dialog.getByText("Type exactly 3.")).toBeVisible();
    await number.fill("3");
    await number.press("Enter");
    await confirm.press("Enter");
    expect(await adoptionsRequested(product), "adoptions that Enter asked for").toBe(0);
    await confirm.press("Space");

    await expect(dialog).toBeHidden({ timeout: 60_000 });
    await expect(tray(page)).toContainText("Adopt 3 cloud resources");
    await expect(tray(page)).toContainText("3 verified", { timeout: 60_000 });
    await expect(page.getByText("3 cloud resources selected")).toBeHidden();
    await expect(
      page.getByText("1 load balancer of an earlier manager is waiting for your consent"),
    ).toBeVisible({ timeout: 30_000 });
    await expect(rowOf(page, "default/legacy-web")).toHaveCount(0);
    await page.getByRole("tab", { name: /^Adopted/ }).click();
    await expect(rowOf(page, "default/legacy-web")).toContainText(/Consent of/);
    await expect(rowOf(page, "default/legacy-web")).toContainText("INC-96");
    await expect(rowOf(page, "node-4")).toContainText(/Consent of/);

    const loadBalancers = await allLoadBalancers(product.cloud);
    for (const { service, balancer: loadBalancer } of fixture.waiting) {
      const now = loadBalancers.find(({ id }) => id === loadBalancer);
      expect(now?.tags[SERVICE_TAG], `the owner of ${loadBalancer}`).toBe(service);
    }
    const shared = loadBalancers.find(({ id }) => id === fixture.shared.balancer);
    expect(shared?.tags, "what was not selected").toEqual({});
    expect(await adoptionsRequested(product), "adoptions, each on the record with its batch").toBe(
      3,
    );
  });
});

async function selectAll(page: Page): Promise<void> {
  const all = page.getByRole("checkbox", { name: "Select all rows that are loaded" });
  if (await all.isVisible()) await all.check();
  else
    for (const box of await page.getByRole("checkbox", { name: /^Select / }).all())
      await box.check();
}

/** Returns the batch that an API client would request. */
function batchOf(cluster: string, { waiting: [one] }: TakeoverFixture, kind: string) {
  const { service = "", balancer: loadBalancer = "" } = one ?? {};
  const [namespace = "", name = ""] = service.split("/");
  const request = {
    id: randomUUID(),
    kind,
    action: { kind: "adopt", balancer: loadBalancer },
    controller: "service-lb-controller",
    object: { kind: "Service", namespace, name, uid: "made-up" },
    why: "trying what may be done",
    ...(kind === "adopt" ? { planHash: "made-up", confirmation: loadBalancer } : {}),
  };
  return { batch: randomUUID(), cluster: cluster.slice("/c/".length), requests: [request] };
}

async function countIntents({ endpoints }: Product): Promise<number> {
  const sql = "SELECT count(*)::int AS count FROM intents";
  const [row] = await rowsOf<{ count: number }>(endpoints.databaseUrl, sql);
  return row?.count ?? 0;
}

/** Counts the adoptions that were requested in a batch, by the audit log. */
async function adoptionsRequested({ endpoints }: Product): Promise<number> {
  const sql = `SELECT count(*)::int AS count FROM audit_entries
                WHERE action = 'intent.request' AND result = 'applied'
                  AND after ->> 'kind' = 'adopt' AND after ? 'batch'`;
  const [row] = await rowsOf<{ count: number }>(endpoints.databaseUrl, sql);
  return row?.count ?? 0;
}
