import { rowsOf } from "../../harness/database.ts";
import { fitsNarrow, settled, sound } from "../fixtures/axe.ts";
import { CLUSTER, expect, test } from "../fixtures/ledger.ts";

const RUN = "01900000-0000-7000-8000-0000000000cd";
/** The time encoded in that id. */
const RUN_AT_MS = 0x019000000000;

test("objects that became worse are listed with their changes, by a link and on a phone", async ({
  page,
  ledger,
}) => {
  const { url } = ledger.database;
  await rowsOf(url, LONG_AGO, [CLUSTER]);
  await rowsOf(url, STUCK, [CLUSTER]);
  await rowsOf(url, OTHER_ADDRESS, [CLUSTER]);
  await page.goto(`/c/${CLUSTER}/changes`);
  const table = page.getByRole("table", { name: "What changed" });
  await expect(page.getByText(/^\d+ objects differ from before: /)).toBeVisible();
  await page.getByRole("button", { name: /^Worse/ }).click();
  const row = table.getByRole("row", { name: /node-0007/ });
  await expect(row).toContainText(/Worse.*OK.*Stuck/);
  await expect(row).toContainText("reports no provider ID");
  await page.getByRole("button", { name: "Keep these times" }).click();
  await expect(page).toHaveURL(/changes\?from=\d{4}-.*&to=\d{4}-.*&change=worse/);
  await sound(page, "the changes");
  await page.getByRole("button", { name: /^Worse/ }).click();
  await expect(table.getByRole("row", { name: /node-0008/ })).toContainText("address 10.9.9.9");

  await page.setViewportSize({ width: 320, height: 720 });
  await settled(page, page.getByRole("heading", { level: 1 }));
  await fitsNarrow(page, "the changes");
  await page.setViewportSize({ width: 1280, height: 720 });
  await table.getByRole("link", { name: "node-0007", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("node-0007");
});

test("a run lists the Events that it sent", async ({ page, ledger }) => {
  const { url } = ledger.database;
  await rowsOf(url, DAY, [RUN_AT_MS]);
  await rowsOf(url, RUN_WITH_EVENTS, [CLUSTER, RUN, RUN_AT_MS]);
  await page.goto(`/c/${CLUSTER}/runs/${RUN}`);
  await page.getByRole("tab", { name: "Events" }).click();
  await expect(page).toHaveURL(/view=events/);
  const row = page.getByRole("row", { name: /ProviderIDMissing/ });
  await expect(row).toContainText(/Warning.*This run/);
});

const LONG_AGO = `
  UPDATE state_changes
     SET at = at - interval '1 day', until = until - interval '1 day',
         state = CASE WHEN name IN ('node-0007', 'node-0008') THEN 'ok' ELSE state END,
         state_rank = CASE WHEN name IN ('node-0007', 'node-0008') THEN 5 ELSE state_rank END
   WHERE cluster_id = $1 AND name <= 'node-0040'`;

const STUCK = `
  UPDATE node_states
     SET state = 'stuck', state_rank = 0, reason = '{"code":"ProviderIDMissing","provider":"sandbox"}',
         reason_code = 'ProviderIDMissing', updated_at = now()
   WHERE cluster_id = $1 AND name = 'node-0007'`;

const OTHER_ADDRESS = `
  UPDATE node_states SET address = '10.9.9.9', updated_at = now() WHERE cluster_id = $1 AND name = 'node-0008'`;

const DAY = `
  SELECT cloudwright_make_run_days(ARRAY[(to_timestamp($1::float8 / 1000) AT TIME ZONE 'UTC')::date])`;

const RUN_WITH_EVENTS = `
  INSERT INTO runs (id, cluster_id, instance, controller, object_kind, object_name, trigger_kind, trigger, attempt, outcome,
                    reason, reason_code, next, started_at, queued_ms, duration_ms, plan_ms, cloud_calls, kube_calls,
                    change_count, applied, dry_run, changes, not_taken, steps, events)
  VALUES ($2::uuid, $1, 'ctl-1', 'cloud-node-controller', 'Node', 'node-0007', 'period', '{"kind":"period"}', 1, 'blocked',
          '{"code":"ProviderIDMissing","provider":"sandbox"}', 'ProviderIDMissing',
          '{"kind":"blocked","reason":{"code":"ProviderIDMissing","provider":"sandbox"}}',
          to_timestamp($3::float8 / 1000), 1, 20, 1, 0, 0, 0, 0, false, '[]', '[]', '[]',
          '[{"type":"Warning","reason":"ProviderIDMissing","message":"The node has no provider ID.",
             "target":{"kind":"Node","name":"node-0007"},"offsetMs":20}]')`;
