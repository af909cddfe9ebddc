import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { rowsOf } from "../../harness/database.ts";
import { sound } from "../fixtures/axe.ts";
import { expect, test, tray, untilFleetIsOk } from "../fixtures/dashboard.ts";

const FLEET = 5;

// A separate product, because its audit log is tampered with at the end.
test.use({ fleet: FLEET });
test.describe.configure({ mode: "serial" });

test("entries are filtered by chips that the address keeps", async ({
  page,
  openPage,
  admin,
  cluster,
}) => {
  await untilFleetIsOk(page, cluster, FLEET);
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit");
  await expect(rows(page).first()).toBeVisible();
  await page.getByRole("searchbox", { name: "Filter entries" }).fill("object:node-2");
  await expect(page).toHaveURL(/q=object/);
  await choose(page, "Action", "Initialise node");
  await expect(page).toHaveURL(/action%3Anode\.initialise/);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("node-2");

  const theirs = await openPage(admin);
  await theirs.goto(page.url());
  await expect(rows(theirs)).toHaveCount(1);

  await page.getByRole("button", { name: "Remove object:node-2" }).click();
  await expect(rows(page)).toHaveCount(FLEET);
  await page.goBack();
  await expect(rows(page)).toHaveCount(1);
});

test("a filter shows in readable entries who held a node and when", async ({ page, cluster }) => {
  await page.goto(`${cluster}/nodes/node-4`);
  await page.getByRole("button", { name: "Hold…" }).click();
  const dialog = page.getByRole("dialog", { name: "Hold node node-4" });
  await expect(dialog.getByText(/^1 node changes · until/)).toBeVisible();
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-91: disk check");
  await dialog.getByRole("button", { name: "Hold node" }).click();
  await expect(tray(page)).toContainText("Verified");

  await page.goto(`${cluster}/audit?q=object:Node/node-4`);
  await choose(page, "Action", "Hold node");
  await expect(page).toHaveURL(/action%3Anode\.hold/);
  const requested = rows(page).filter({ hasText: "requested" });
  await expect(requested).toHaveCount(1);
  await expect(requested).toContainText("Hold node");
  await expect(requested, "who").toContainText("admin");
  await expect(requested, "why").toContainText("INC-91: disk check");
  await expect(rows(page).filter({ hasText: "verified" })).toContainText("Hold node");
  await expect(rows(page).filter({ hasText: /Ask for action|intent\./ })).toHaveCount(0);

  await requested.getByRole("link", { name: /Hold node/ }).click();
  const beside = page.getByRole("complementary");
  await expect(beside).toContainText(/until.*\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/s);
  expect(await beside.textContent(), "no number of milliseconds").not.toMatch(/\b1[789]\d{11}\b/);
});

test("previews are hidden until they are turned on, also in the export", async ({
  page,
  cluster,
}) => {
  await page.goto(`${cluster}/audit?q=object:Node/node-4`);
  await expect(rows(page).filter({ hasText: "Hold node" }).first()).toBeVisible();
  const previews = rows(page).filter({ hasText: "Preview: Hold node" });
  await expect(previews).toHaveCount(0);
  const toggle = page.getByRole("button", { name: "Previews" });
  await expect(toggle).toHaveAttribute("aria-pressed", "false");
  const without = await exported(page);
  await toggle.click();
  await expect(page).toHaveURL(/previews=shown/);
  await expect(previews.first()).toBeVisible();
  const all = await exported(page);
  expect(without.filter.withoutPreviews).toBe(true);
  expect(all.filter.withoutPreviews).toBeUndefined();
  const requested = ({ entries }: Exported) =>
    entries.map(({ after }) => after).filter((after) => after?.kind === "preview");
  expect(requested(without)).toEqual([]);
  expect(requested(all).length).toBeGreaterThan(0);
  expect(without.entries).toHaveLength(
    await countOf(page, `${cluster}/audit?q=object:Node/node-4`),
  );
});

test("a time range is chosen by a bar or by its start and end, and the address keeps it", async ({
  page,
  cluster,
}) => {
  await page.goto(`${cluster}/audit?q=action:node.initialise`);
  await expect(rows(page)).toHaveCount(FLEET);
  const bars = page.getByRole("region", { name: "Histogram" }).getByRole("button");
  // There are at most 61 bars, and fewer if 60 would not begin at round times.
  await expect.poll(() => bars.count()).toBeGreaterThan(20);
  const busy = bars.and(page.locator(':not([aria-label^="0 "])'));
  await busy.first().focus();
  await page.keyboard.press("End");
  await expect(bars.last()).toBeFocused();
  await busy.first().click();
  await expect(page).toHaveURL(/from=\d{4}-.*to=\d{4}-/);
  await expect(rows(page).first()).toBeVisible();
  const narrowed = page.url();
  await page.reload();
  await expect(page).toHaveURL(narrowed);

  await page.getByRole("button", { name: "From – to" }).click();
  const form = page.getByRole("form", { name: "Time range" });
  await form.getByLabel(/^From/).fill("2020-01-01T00:00:00");
  await form.getByLabel(/^To/).fill("2019-01-01T00:00:00");
  await form.getByRole("button", { name: "Show this time" }).click();
  await expect(form.getByRole("alert")).toContainText("before the end");
  await form.getByLabel(/^To/).fill("2020-02-01T00:00:00");
  await form.getByRole("button", { name: "Show this time" }).click();
  await expect(page).toHaveURL(/from=20(19|20)-.*to=2020-/);
  await expect(page.getByText("No entry matches this filter")).toBeVisible();
});

test("a request id leads to its run from the palette, from Runs and from the audit", async ({
  page,
  product,
  cluster,
}) => {
  const [found] = await rowsOf<{ id: string; request: string }>(
    product.endpoints.databaseUrl,
    `SELECT id::text, jsonb_path_query_first(steps, '$[*].requestId') #>> '{}' AS request
       FROM runs WHERE object_name = 'node-2' AND controller = 'cloud-node-controller' AND outcome = 'changed'
        AND jsonb_path_exists(steps, '$[*].requestId')
      ORDER BY started_at LIMIT 1`,
  );
  const { id = "", request = "" } = found ?? {};
  expect(request).toMatch(/^req-/);
  for (const text of [request, request.slice(0, 12)]) {
    await page.goto(`${cluster}/runs?q=request:${text}&from=all`);
    const run = page.getByRole("table", { name: "Runs" }).locator(`a[href$="/runs/${id}"]`);
    await expect(run).toBeVisible();
    await page.goto(`${cluster}/audit?q=request:${text}`);
    await expect(
      rows(page).filter({ hasText: "Initialise node" }).filter({ hasText: "node-2" }),
    ).toHaveCount(1);
  }
  await page.goto(`${cluster}/audit?q=request:req-`);
  await expect(page.getByText(/needs the first 8 characters/)).toBeVisible();

  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Search or jump" }).fill(request);
  const entry = page.getByRole("dialog").getByRole("button", { name: /^Node initialisation of / });
  await expect(entry.first()).toBeVisible();
  await page.getByRole("textbox", { name: "Search or jump" }).fill(id);
  await expect(page.getByRole("dialog").getByRole("button", { name: /of node-2/ })).toHaveCount(1);
  // For a moment the request's other runs are still listed, and Enter would open the first of them.
  await expect(entry).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/runs/${id}$`));
});

test("the side panel of an entry shows before and after, and leads to its run", async ({
  page,
  cluster,
}) => {
  await page.goto(`${cluster}/audit?action=node.initialise&object=node-3`);
  await page.getByRole("link", { name: "Initialise node" }).click();
  await expect(page).toHaveURL(/peek=\d+/);
  const beside = page.getByRole("complementary");
  await expect(beside).toContainText("node.initialise");
  await expect(beside.getByRole("heading", { name: "Before and after" })).toBeVisible();
  await expect(beside).toContainText("sandbox://");
  await page.reload();
  await expect(beside, "its address is its own").toContainText("sandbox://");
  await beside.getByRole("link", { name: "Run" }).click();
  await expect(page.getByRole("tab", { name: "Waterfall" })).toBeVisible();
  await page.goBack();
  await page.keyboard.press("Escape");
  await expect(beside).toHaveCount(0);
});

test("an invalid filter is reported, and an invalid parameter of the address is ignored", async ({
  page,
  cluster,
}) => {
  await page.goto(`${cluster}/audit?q=action:fly&chain=moon`);
  await expect(page.getByText(/there is no action fly/)).toBeVisible();
  await expect(page.getByText(/is ignored: moon/)).toBeVisible();
  await page.goto(`${cluster}/audit?q=object:nobody`);
  await expect(page.getByText("No entry matches this filter")).toBeVisible();
  await page.getByRole("button", { name: "Show all entries" }).click();
  await expect(rows(page).first()).toBeVisible();
});

test("the chain is verified, and new entries do not shift the list", async ({ page, cluster }) => {
  await page.goto(`${cluster}/audit`);
  await expect(rows(page).first()).toBeVisible();
  const chain = page.getByRole("region", { name: "Chain" });
  await expect(chain).toContainText(/entries since/);
  await chain.getByRole("button", { name: "Verify now" }).click();
  await expect(chain).toContainText(/All [\d,]+ entries are as written/);
  const fresh = page.getByRole("button", { name: /new — show/ });
  // Entries written while the list opens still belong to it.
  await expect(async () => {
    const first = await rows(page).first().textContent();
    await chain.getByRole("button", { name: "Verify now" }).click();
    await expect(fresh).toBeVisible({ timeout: 3_000 });
    expect(await rows(page).first().textContent()).toBe(first);
  }).toPass({ timeout: 30_000 });
  await fresh.click();
  await expect(rows(page).first()).toContainText("Verify audit");
  await page.reload();
  await expect(chain).toContainText(/unbroken when .* verified/);
});

test("an export holds exactly what the filter selects", async ({ page, cluster }) => {
  await page.goto(`${cluster}/audit?q=action:node.initialise`);
  await expect(rows(page)).toHaveCount(FLEET);
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "As JSON" }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toMatch(/^audit-.*\.json$/);
  const file = JSON.parse(readFileSync(await download.path(), "utf8"));
  expect(file.filter).toEqual({ action: "node.initialise", withoutPreviews: true });
  expect(file.entries).toHaveLength(FLEET);
});

test("the audit log of accounts shows who signed in from where", async ({ page, cluster }) => {
  await page.goto(`${cluster}/audit`);
  await page.getByRole("button", { name: "Accounts" }).click();
  await expect(page).toHaveURL(/chain=accounts/);
  await expect(rows(page).filter({ hasText: "Sign in" }).first()).toContainText("127.0.0.1");
});

test("an entry changed by the database's owner is named, with the entries still proven", async ({
  page,
  product,
  cluster,
}) => {
  const { databaseUrl } = product.endpoints;
  const changed = "UPDATE audit_entries SET why = 'Nothing happened' WHERE seq = 3";
  await rowsOf(
    databaseUrl,
    `BEGIN; SET LOCAL session_replication_role = replica; ${changed} AND chain = '${cluster.slice(3)}'; COMMIT`,
  );
  await page.goto(`${cluster}/audit`);
  await page.getByRole("button", { name: "Verify now" }).click();
  const alert = page.getByRole("region", { name: "Chain" }).getByRole("alert");
  await expect(alert).toContainText("The chain is broken");
  await expect(alert).toContainText(/[Ee]ntry 3 was changed/);
  await expect(alert).toContainText(/Still proven: entries 4 to \d+\./);
  await expect(alert, "nothing after the break vouches for them").toContainText(
    "not linked to the rest: entries 1 to 2.",
  );
  await expect(alert).toContainText("cloudwright audit verify");
  await sound(page, "a broken chain");
  await page.reload();
  await expect(page.getByRole("region", { name: "Chain" })).toContainText(/broken when/);
});

function rows(page: Page) {
  return page.getByRole("table", { name: "Audit entries" }).locator("tbody tr[aria-rowindex]");
}

interface Exported {
  readonly filter: { readonly withoutPreviews?: boolean };
  readonly entries: readonly { readonly after: { readonly kind?: string } | null }[];
}

async function exported(page: Page): Promise<Exported> {
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: "As JSON" }).click();
  return JSON.parse(readFileSync(await (await coming).path(), "utf8")) as Exported;
}

/** Returns the number of entries that the page shows. */
async function countOf(page: Page, path: string): Promise<number> {
  await page.goto(path);
  const text = await page.getByText(/^[\d,]+ entr(y|ies)$/).textContent();
  return Number((text ?? "").replace(/\D/g, ""));
}

async function choose(page: Page, menu: string, choice: string): Promise<void> {
  await page.locator("button[aria-haspopup=menu]", { hasText: new RegExp(`^${menu}`) }).click();
  await page.getByRole("menu", { name: menu }).getByText(choice, { exact: true }).click();
  await page.keyboard.press("Escape");
}
