import { rowsOf } from "../../harness/database.ts";
import { fitsNarrow, sound } from "../fixtures/axe.ts";
import { rowOf } from "../fixtures/dashboard.ts";
import { CLUSTER, expect, test } from "../fixtures/ledger.ts";

const FLEET = 9;
const PAGE = `/c/${CLUSTER}`;

// A separate ledger, because some of its nodes get stuck; the product's two minutes of failures are written to it directly.
test.use({ fleet: FLEET, permissions: ["clipboard-read", "clipboard-write"] });
test.describe.configure({ mode: "serial" });

test.beforeAll(async ({ ledger }) => {
  await rowsOf(ledger.database.url, RECOVER, [CLUSTER]);
  await rowsOf(ledger.database.url, FAIL, [
    CLUSTER,
    ["node-0002", "node-0003"],
    { code: "ProvidedNodeIPUnknown", wanted: "192.0.2.99", cloudHas: ["10.0.0.2"] },
  ]);
});

test("problems with the same cause share a row, which leads to all of them", async ({ page }) => {
  await page.goto(PAGE);
  const header = page.getByRole("main").locator("header").first();
  await expect(header).toContainText("2 nodes need you. Oldest: node-");
  await expect(page.getByRole("navigation", { name: "Pages" })).toContainText("2 stuck");
  const row = page.getByRole("list", { name: "Needs you" }).locator("> li");
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("is not among the addresses that the cloud knows");
  await expect(row).toContainText("Correct the kubelet's --node-ip");
  await row.locator("summary").click();
  for (const name of ["node-0002", "node-0003"]) {
    await expect(row.getByRole("link", { name, exact: true })).toBeVisible();
  }

  await page.getByRole("button", { name: "Copy summary" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("2 nodes need you.");
  expect(copied).toContain("- 2 nodes, such as: Node");
  expect(copied).toContain(`Nodes ${FLEET}: Stuck 2, OK ${FLEET - 2}.`);
  expect(copied.split("\n").at(-1)).toBe(page.url());

  await row.getByRole("link", { name: "Open all 2" }).click();
  await expect(page).toHaveURL(/state=stuck&reason=ProvidedNodeIPUnknown/);
  await expect(rowOf(page, "node-0002")).toBeVisible();
  await expect(rowOf(page, "node-0003")).toBeVisible();
  await expect(rowOf(page, "node-0001")).toHaveCount(0);
  await page.getByRole("button", { name: /^Reason · / }).click();
  await expect(page).not.toHaveURL(/reason=/);
});

test("problems have no fault and fit 320 px", async ({ page }) => {
  await page.goto(PAGE);
  await page.getByRole("list", { name: "Needs you" }).locator("summary").click();
  await sound(page, "a problem of two nodes");
  await page.setViewportSize({ width: 320, height: 640 });
  await fitsNarrow(page, "a problem of two nodes");
});

test("a solved problem disappears without a reload", async ({ page, ledger }) => {
  await page.goto(PAGE);
  const row = page.getByRole("list", { name: "Needs you" }).locator("> li");
  await expect(row).toHaveCount(1);
  await rowsOf(ledger.database.url, RECOVER, [CLUSTER]);
  await expect(page.getByText("Nothing needs you")).toBeVisible();
});

const FAIL = `
  UPDATE all_states
     SET state = 'stuck', state_rank = 0, reason = $3::jsonb, reason_code = $3::jsonb ->> 'code', failures = 5,
         since = now() - interval '5 minutes', last_run_outcome = 'failed', updated_at = now()
   WHERE cluster_id = $1 AND kind = 'Node' AND name = ANY($2::text[])`;

const RECOVER = `
  UPDATE all_states
     SET state = 'ok', state_rank = 5, reason = '{"code": "Initialised"}', reason_code = 'Initialised', failures = 0,
         since = now(), last_run_outcome = 'changed', updated_at = now()
   WHERE cluster_id = $1 AND state <> 'ok'`;
