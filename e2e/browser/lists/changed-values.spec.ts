import type { Locator } from "@playwright/test";
import { rowsOf } from "../../harness/database.ts";
import { beginRun, CLUSTER, expect, test } from "../fixtures/ledger.ts";

const PAGE = `/c/${CLUSTER}`;
const BEGAN_MS = Date.now();
/** The ledger finds a run by the time in its id. */
const RUN = BEGAN_MS.toString(16)
  .padStart(12, "0")
  .replace(/^(.{8})(.{4})$/, "$1-$2-7000-8000-0000000000aa");

// A separate ledger, because its contents change.
test.use({ fleet: 9 });

const marked = (panel: Locator) => panel.locator('[data-just-changed="true"]');

/** Checks that nothing is marked before the change, and that the marks disappear after their time. */
async function marksOnly(panel: Locator, texts: readonly string[], change: () => Promise<unknown>) {
  await expect(panel.locator("dl").first()).toBeVisible();
  await expect(marked(panel)).toHaveCount(0);
  await change();
  await expect(marked(panel)).toContainText([...texts]);
  await expect(marked(panel), "for three seconds").toHaveCount(0);
}

test("the side panel of a node's routes marks what has just changed", async ({ page, ledger }) => {
  await page.goto(`${PAGE}/routes?peek=node-0007`);
  const panel = page.getByRole("complementary", { name: /Routes of node-0007$/ });
  await expect(panel.getByRole("region", { name: /Route to 10\./ })).toContainText("Missing");
  await marksOnly(panel, ["OK", "In sync", "In sync", "sandbox://", "False, RouteCreated"], () =>
    rowsOf(ledger.database.url, ROUTE_COMES, [CLUSTER, "node-0007"]),
  );
});

test("the side panel of a volume marks what has just changed", async ({ page, ledger }) => {
  await page.goto(`${PAGE}/volumes?peek=pv-data`);
  const panel = page.getByRole("complementary", { name: /pv-data$/ });
  await marksOnly(panel, ["Stuck", "Drifted", "zone-2", "names another place", "12 GiB"], () =>
    rowsOf(ledger.database.url, VOLUME_MOVES, [CLUSTER, "pv-data"]),
  );
});

test("a run's side panel and page mark how it has just ended", async ({ page, ledger }) => {
  const { url } = ledger.database;
  await beginRun(ledger, { id: RUN, beganMs: BEGAN_MS, node: "node-0001" });
  for (const [path, panel] of [
    [`runs?peek=${RUN}`, page.getByRole("complementary", { name: /Run of node-0001$/ })],
    [`runs/${RUN}`, page.getByRole("main")],
  ] as const) {
    await page.goto(`${PAGE}/${path}`);
    await marksOnly(panel, ["Failed", "2 cloud, 1 kube"], () =>
      rowsOf(url, RUN_ENDS, [CLUSTER, RUN]),
    );
    await rowsOf(url, RUN_IS_OPEN, [CLUSTER, RUN]);
  }
});

test("a load balancer's page and side panel show its class if it has one", async ({
  page,
  ledger,
}) => {
  const { url } = ledger.database;
  await rowsOf(url, LOAD_BALANCER, [CLUSTER, "shop/web", "example.com/internal"]);
  await rowsOf(url, LOAD_BALANCER, [CLUSTER, "shop/api", null]);
  const fact = page
    .getByRole("main")
    .locator("dl > div")
    .filter({ hasText: /^Class/ });
  for (const path of ["load-balancers/shop/web", "load-balancers?peek=shop%2Fweb"]) {
    await page.goto(`${PAGE}/${path}`);
    await expect(fact).toHaveText("Classexample.com/internal");
  }
  await page.goto(`${PAGE}/load-balancers/shop/api`);
  await expect(page.getByText("lb-1", { exact: true })).toBeVisible();
  await expect(fact).toHaveCount(0);
});

const ROUTE_COMES = `
  WITH came AS (
  UPDATE node_states
     SET parts = jsonb_set(parts, '{node-route-controller}', parts -> 'node-route-controller' || jsonb_build_object(
           'state', 'ok', 'drift', 'inStep', 'reason', jsonb_build_object('code', 'RouteInStep', 'routes', 2),
           'detail', parts -> 'node-route-controller' -> 'detail' || jsonb_build_object(
             'condition', jsonb_build_object('status', 'False', 'reason', 'RouteCreated'),
             'cells', jsonb_set(cells, '{0}', cells -> 0 || jsonb_build_object('verdict', 'keep', 'route',
               jsonb_build_object('id', 'r-new', 'table', 'rtb-a', 'name', 'new', 'destination', cells -> 0 ->> 'cidr',
                                  'nextHop', cells -> 0 ->> 'wantedNextHop'))))))
    FROM (SELECT name AS reported, parts -> 'node-route-controller' -> 'detail' -> 'cells' AS cells FROM node_states
           WHERE cluster_id = $1 AND name = $2) AS now_told
   WHERE cluster_id = $1 AND name = reported
  RETURNING cluster_id, name, parts -> 'node-route-controller' AS part)
  UPDATE route_states
     SET state = 'ok', state_rank = 5, drift = 'inStep', reason = part -> 'reason', reason_code = 'RouteInStep',
         detail = part -> 'detail'
    FROM came
   WHERE route_states.cluster_id = came.cluster_id AND kind = 'NodeRoutes' AND route_states.name = came.name`;

const VOLUME_MOVES = `
  UPDATE volume_states
     SET state = 'stuck', state_rank = 0, drift = 'drifted', reason_code = 'VolumeAffinityConflict',
         reason = jsonb_build_object('code', 'VolumeAffinityConflict', 'has', 'zone-1', 'wanted', 'zone-2'),
         detail = detail || jsonb_build_object('affinity', 'conflict',
           'sizeGiB', jsonb_build_object('cloud', 12, 'volume', 10, 'claimed', 10),
           'labels', jsonb_set(detail -> 'labels', '{wanted,zone}', '"zone-2"'))
   WHERE cluster_id = $1 AND kind = 'PersistentVolume' AND name = $2`;

const RUN_ENDS = `
  UPDATE runs
     SET outcome = 'failed', duration_ms = 40, cloud_calls = 2, kube_calls = 1, reason_code = 'ProviderThrottled',
         reason = '{"code":"ProviderThrottled","provider":"sandbox","operation":"GET /v1/instances"}'
   WHERE cluster_id = $1 AND id = $2::uuid`;

const RUN_IS_OPEN = `
  UPDATE runs SET outcome = 'running', duration_ms = NULL, cloud_calls = 0, kube_calls = 0, reason_code = NULL, reason = NULL
   WHERE cluster_id = $1 AND id = $2::uuid`;

const LOAD_BALANCER = `
  INSERT INTO load_balancer_states (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller,
                                    since, failures, drift, last_run_id, last_run_outcome, last_run_at, updated_at,
                                    provider_id, type, addresses, search_text, detail)
  SELECT $1, 'Service', $2, $2, '{}', 'ok', 5, reason, 'BalancerInStep', 'service-lb-controller', now(), 0, 'inStep',
         '01900000-0000-7000-8000-0000000000ff', 'unchanged', now(), now(), 'lb-1', 'network', '{203.0.113.7}', $2,
         jsonb_build_object('kind', 'balancer', 'aspects', '[]'::jsonb, 'ignored', '[]'::jsonb, 'members', '[]'::jsonb,
           'membersIn', 0, 'membersWanted', 0, 'published', '[]'::jsonb, 'ports', '[]'::jsonb, 'actual',
           jsonb_strip_nulls(jsonb_build_object('id', 'lb-1', 'name', 'a1f0', 'type', 'network', 'addresses',
             '["203.0.113.7"]'::jsonb, 'state', 'active', 'parts', '[]'::jsonb, 'loadBalancerClass', $3::text)))
    FROM (SELECT jsonb_build_object('code', 'BalancerInStep', 'members', 0, 'address', '203.0.113.7') AS reason) AS reported`;
