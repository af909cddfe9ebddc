import type { Page } from "@playwright/test";
import { queryPath } from "../../harness/dashboard.ts";
import { rowsOf } from "../../harness/database.ts";
import { settled } from "../fixtures/axe.ts";
import { CLUSTER, expect, test } from "../fixtures/ledger.ts";

const CLUSTER_PATH = `/c/${CLUSTER}`;
const ROUTES = `${CLUSTER_PATH}/routes`;

function rowOf(page: Page, name: string) {
  return page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
}

test("the matrix has a block for each table, and a cell opens its route", async ({ page }) => {
  await page.goto(ROUTES);
  await expect(
    page.getByText(/^6 nodes and 2 routes need you\. .*Table main rtb-a is full\.$/),
    "what the badge counts",
  ).toBeVisible();
  await expect(page.getByRole("rowheader", { name: /^main rtb-a/ })).toContainText(
    "no more nodes fit",
  );
  const stuck = rowOf(page, "node-0007");
  await expect(stuck).toContainText("10.64.7.0/24Missing");
  await expect(stuck).toContainText("as many routes as it may");
  await expect(rowOf(page, "node-0008")).toContainText("Not ours");
  await page.goto(`${ROUTES}?cell=update`);

  await rowOf(page, "node-0034")
    .getByRole("button", { name: /^10\.64\.34\.0\/24/ })
    .click();
  await expect(page).toHaveURL(/peek=node-0034%2F10\.64\.34\.0%2F24/);
  const panel = page.getByRole("complementary", { name: /Routes of node-0034$/ });
  const chosen = panel.getByRole("region", { name: "Route to 10.64.34.0/24" });
  await expect(chosen).toHaveAttribute("aria-current", "true");
  await expect(chosen).toContainText("≠ Leads to");
  await expect(chosen).toContainText("sandbox://elsewhere");
  await expect(panel).toContainText("leads to a machine other than its node's");
  await expect(panel.getByRole("button", { name: "Repair now" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);

  await page.goto(`${ROUTES}?q=node-0011`);
  await expect(rowOf(page, "node-0011"), "also before a node with one is loaded").toContainText(
    "no IPv6 range",
  );
});

test("nodes are filtered by table, problem, state and text, and the address keeps the filters", async ({
  page,
}) => {
  await page.goto(ROUTES);
  await page.getByRole("region", { name: "Route tables" }).getByText("main rtb-b").click();
  await expect(page).toHaveURL(/table=rtb-b/);
  await expect(rowOf(page, "node-0003")).toBeVisible();
  await expect(rowOf(page, "node-0001")).toHaveCount(0);
  await page.goBack();
  await expect(rowOf(page, "node-0001")).toBeVisible();

  await page.goto(`${ROUTES}?cell=blackhole`);
  await expect(page.getByText("2 nodes match")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("button", { name: "Faults only" }).click();
  await expect(page).toHaveURL(/state=stuck,unknown/);
  await expect(page.getByText("6 nodes match")).toBeVisible();
  await page.goto(`${ROUTES}?drift=drifted&view=list&sort=name`);
  await expect(page.getByRole("row").nth(1)).toContainText("node-0007");
  await page.getByRole("searchbox", { name: "Filter routes" }).fill("10.64.9.");
  await expect(page.getByText("1 node matches")).toBeVisible();
  await page.goto(`${ROUTES}?q=nothing`);
  await page.getByRole("button", { name: "Show the routes of all nodes" }).click();
  await expect(rowOf(page, "node-0001")).toBeVisible();
});

test("foreign routes and routes without a node have separate lists", async ({ page }) => {
  await page.goto(ROUTES);
  await page.getByRole("tab", { name: "Not ours 3" }).click();
  await expect(page.getByText("are left untouched")).toBeVisible();
  const rows = page.getByRole("table", { name: "Foreign routes" }).getByRole("row");
  await expect(rows.nth(1)).toContainText("10.64.77.0/24");
  await expect(rows.nth(1)).toContainText("a machine that is gone");
  await expect(rows.nth(3)).toContainText("0.0.0.0/0");
  await page.getByRole("searchbox").fill("blue");
  await expect(page.getByText("1 foreign route matches")).toBeVisible();
  await page.getByRole("tab", { name: "Without a node 3" }).click();
  await expect(page).toHaveURL(/show=stale$/);
  const stale = page.getByRole("row", { name: /r-9001/ });
  await expect(stale).toContainText("belongs to a node that is gone");
  await stale.getByRole("button", { name: "Retry now r-9001" }).click();
  await expect(page.getByRole("dialog", { name: "Retry route r-9001" })).toBeVisible();
});

test("a repair names its nodes", async ({ page }) => {
  await page.goto(`${ROUTES}?view=list&sort=name`);
  await page.getByRole("checkbox", { name: "Select node-0007" }).check();
  await page.getByRole("checkbox", { name: "Select node-0009" }).check();
  await page.getByRole("button", { name: "Repair the routes of 2 nodes…" }).click();
  const dialog = page.getByRole("dialog", { name: "Repair the routes of 2 nodes" });
  await expect(dialog.getByRole("listitem")).toHaveText(/^2 nodes node-0007, node-0009/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Repair drift…" }).click();
  await expect(page.getByRole("dialog").getByRole("listitem").first()).toContainText("node-0007");
});

test.describe("a viewer", () => {
  test.use({ role: "viewer" });

  test("sees everything, may preview, and learns who may act", async ({ page }) => {
    await page.goto(`${ROUTES}?peek=node-0009`);
    const panel = page.getByRole("complementary", { name: /node-0009$/ });
    for (const name of ["Repair now", "Hold node…"]) {
      const button = panel.getByRole("button", { name });
      await expect(button).toHaveAttribute("aria-disabled", "true");
      await expect(button).toHaveAttribute("aria-description", /Needs role operator/);
    }
    await expect(panel.getByRole("button", { name: "Dry run" })).not.toHaveAttribute(
      "aria-disabled",
      "true",
    );
    await expect(page.getByRole("button", { name: "Repair drift…" })).toHaveAttribute(
      "aria-description",
      /Needs role operator/,
    );
    await page.goto(`${CLUSTER_PATH}/volumes`);
    await page.getByRole("checkbox", { name: "Select pv-moved" }).check();
    await expect(page.getByRole("button", { name: "Retry 1 volume…" })).toHaveAttribute(
      "aria-description",
      /Needs role operator/,
    );
  });
});

test("nobody reads routes without signing in", async ({ ledger, cookieOf }) => {
  const { send } = ledger.dashboard;
  const list = { cluster: CLUSTER, filter: {}, limit: 9 };
  const requested: Readonly<Record<string, object>> = {
    "routes.list": { ...list, sort: { by: "name", descending: false } },
    "routes.foreign": { ...list, sort: { by: "inRange", descending: false } },
    "routes.stale": { ...list, sort: { by: "name", descending: false } },
    "routes.tables": { cluster: CLUSTER },
    "routes.ofNode": { cluster: CLUSTER, name: "node-0001" },
    "volumes.list": { ...list, sort: { by: "name", descending: false } },
    "volumes.byName": { cluster: CLUSTER, name: "pv-data" },
  };
  const viewer = await cookieOf("viewer");
  for (const [procedure, input] of Object.entries(requested)) {
    const path = queryPath(procedure, input);
    expect((await send(path)).status, procedure).toBe(401);
    expect((await send(path, { session: viewer })).status, procedure).toBe(200);
  }
});

interface Paged {
  readonly nextCursor: string;
}

test("a page's cursor is rejected in another cluster", async ({ ledger, cookieOf }) => {
  const { dashboard } = ledger;
  const session = await cookieOf("viewer");
  for (const [procedure, by] of [
    ["routes.list", "table"],
    ["routes.foreign", "destination"],
    ["volumes.list", "zone"],
  ] as const) {
    const list = { filter: {}, sort: { by, descending: false }, limit: 1 };
    const own = { ...list, cluster: CLUSTER };
    const { nextCursor: cursor } = await dashboard.query<Paged>(session, procedure, own);
    const path = queryPath(procedure, { ...list, cluster: "another", cursor });
    const answer = await dashboard.send(path, { session });
    expect(answer.status, procedure).toBe(400);
    expect(answer.text).toContain("belongs to another cluster");
  }
});

test("keys open the page, move from row to row and open the side panel", async ({ page }) => {
  await page.goto(CLUSTER_PATH);
  await settled(page, page.getByRole("heading", { name: "Overview", exact: true }));
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await expect(page).toHaveURL(ROUTES);
  await expect(rowOf(page, "node-0001")).toBeVisible();
  const list = page.getByRole("button", { name: "List", exact: true });
  await list.click();
  await expect(list).toHaveAttribute("aria-pressed", "true");
  await settled(page, rowOf(page, "node-0007"));
  await page.keyboard.press("j");
  await expect(page.getByRole("table").locator("a:focus")).toBeVisible();
  await page.keyboard.press("x");
  await expect(page.getByRole("complementary", { name: /Routes of node-/ })).toBeVisible();
  await page.keyboard.press("f");
  await expect(page).toHaveURL(/state=stuck,unknown/);
});

test("a node's page, the Overview and the palette include routes", async ({ page }) => {
  await page.goto(`${CLUSTER_PATH}/nodes/node-0009`);
  await expect(page.getByRole("tab", { name: /Routes/ })).toContainText("drifted");
  const step = page
    .getByRole("list", { name: "Steps of the initialisation" })
    .getByRole("listitem")
    .filter({ hasText: /^Route/ });
  await expect(step).toContainText("not yet");
  await expect(step).toContainText("leads to a machine other than its node's");
  await page.getByRole("tab", { name: /Routes/ }).click();
  await expect(page.getByRole("region", { name: "Route to 10.64.9.0/24" })).toContainText(
    "To update",
  );
  await page.goto(`${CLUSTER_PATH}/nodes/node-0011`);
  await expect(step).toContainText("It has no pod range");

  await page.goto(CLUSTER_PATH);
  const panel = page.getByRole("region", { name: "Routes" });
  await expect(panel).toContainText("2 tables; main rtb-a holds");
  await expect(panel).toContainText("No more nodes fit");
  const problems = page.getByRole("list", { name: "Needs you" });
  await expect(problems).toContainText("no room for a route");
  const stale = problems.getByRole("listitem").filter({ hasText: "2 routes without a node" });
  await stale.getByRole("button", { name: "Retry 2…" }).click();
  const dialog = page.getByRole("dialog", { name: "Retry 2 routes" });
  await expect(dialog.getByRole("listitem")).toHaveText(/^2 routes r-9002, r-9003/);
  await page.keyboard.press("Escape");
  await panel.getByRole("link", { name: /Not ours/ }).click();
  await expect(page).toHaveURL(/show=foreign/);
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search or jump" }).fill("10.64.34.0");
  // The result is the node or its routes.
  const found = page.getByRole("dialog").getByRole("button", { name: /^node-0034/ });
  await expect(found.first()).toBeVisible();
});

test("volumes show their zones in the cloud and in their labels", async ({ page, ledger }) => {
  await page.goto(CLUSTER_PATH);
  await page.getByRole("navigation", { name: "Pages" }).getByText("Volumes").click();
  await expect(page.getByText("1 volume needs you.")).toBeVisible();
  await expect(rowOf(page, "pv-moved")).toContainText("zone-2 ≠, and should be zone-1");
  await rowOf(page, "pv-moved").getByRole("cell").nth(3).click();
  const panel = page.getByRole("complementary", { name: /pv-moved$/ });
  await expect(panel).toContainText("vol-pv-moved");
  await expect(panel).toContainText("cannot be changed");
  await page.getByRole("searchbox", { name: "Filter volumes" }).fill("vol-pv-new");
  await expect(page.getByText("1 volume matches")).toBeVisible();

  const changed = rowOf(page, "pv-new").locator('[data-just-changed="true"]');
  await expect(changed).toHaveCount(0);
  await rowsOf(
    ledger.database.url,
    "UPDATE all_states SET drift = 'notChecked' WHERE cluster_id = $1 AND name = 'pv-new'",
    [CLUSTER],
  );
  await expect(changed).toHaveText("Not checked");
  await expect(changed, "for three seconds").toHaveCount(0);
});

test("a retry of volumes names its volumes", async ({ page }) => {
  await page.goto(`${CLUSTER_PATH}/volumes`);
  await page.getByRole("checkbox", { name: "Select pv-moved" }).check();
  await page.getByRole("checkbox", { name: "Select pv-data" }).check();
  await page.getByRole("button", { name: "Retry 2 volumes…" }).click();
  const dialog = page.getByRole("dialog", { name: "Retry 2 volumes" });
  await expect(dialog.getByRole("listitem")).toHaveText(/^2 volumes pv-moved, pv-data/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Clear selection" }).click();
  await expect(page.getByRole("checkbox", { name: "Select pv-moved" })).not.toBeChecked();
});
