import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodesInput, runsInput } from "../../../testing/list-inputs.ts";
import { CLUSTER } from "../../../testing/records.ts";
import { useTestServer } from "../../../testing/suite-database.ts";
import { connect, type Database } from "../../database/database.ts";
import { pageStatement, totalStatement } from "../../sql/lists/list.ts";
import { COUNT_STATES } from "../../sql/objects/health.ts";
import { objectList } from "../../sql/objects/objects.ts";
import { RUNS } from "../../sql/runs/runs.ts";
import type { RunsFilter } from "../../views/views.ts";
import { listRouteTables } from "../objects/routes.ts";
import { listRuns } from "./runs.ts";

const server = useTestServer();

/** When the last run began: yesterday evening, so that its day has many runs at whatever hour the test runs. */
const LAST_RUN = new Date(new Date().setUTCHours(-4, 0, 0, 0));

describe("on 100,000 runs and 20,000 nodes", () => {
  let big: Database;
  beforeAll(async () => {
    big = connect(await server.migrated());
    await big.pool.query(MAKE_DAYS, [LAST_RUN]);
    await big.pool.query(GENERATE_RUNS, [CLUSTER, LAST_RUN]);
    await big.pool.query(GENERATE_NODES, [CLUSTER]);
    await big.pool.query("VACUUM ANALYZE runs");
    await big.pool.query("VACUUM ANALYZE node_states");
  });
  afterAll(() => big.close());

  async function plan(text: string, values: readonly unknown[]): Promise<string> {
    const result = await big.pool.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, [...values]);
    return result.rows.map((row) => row["QUERY PLAN"]).join("\n");
  }

  test.each<[string, RunsFilter]>([
    ["no filter", {}],
    ["one controller", { controller: "node-route-controller" }],
    ["one outcome", { outcomes: ["failed"] }],
    ["several outcomes", { outcomes: ["failed", "timedOut"] }],
    ["one reason", { reason: "ProviderThrottled" }],
    ["one object", { key: "w-17" }],
    ["names that begin so", { key: "w-17*" }],
    ["one trigger", { triggers: ["retry"] }],
    ["many calls", { minCalls: 10 }],
    ["one request", { requestId: "7f3a9c10-0000" }],
    ["a time", { from: LAST_RUN.getTime() - 60_000 }],
    ["what is not unchanged", { not: { outcomes: ["unchanged"] } }],
  ])("a page of runs with %s reads an index and sorts nothing big", async (_name, filter) => {
    const { text, values } = pageStatement(RUNS, runsInput(filter));
    const explained = await plan(text, values);
    expect(explained).toMatch(/Index (Only )?Scan/);
    expect(explained).not.toMatch(/Seq Scan/);
  });

  test.each<[string, RunsFilter]>([
    ["one outcome", { outcomes: ["failed"] }],
    ["one reason", { reason: "ProviderThrottled" }],
    ["one object", { key: "w-17" }],
    ["one trigger", { triggers: ["retry"] }],
    ["many calls", { minCalls: 10 }],
    ["one request", { requestId: "7f3a9c10-0000" }],
  ])("the total of runs with %s reads an index", async (_name, filter) => {
    const { text, values } = totalStatement(RUNS, runsInput(filter));
    expect(await plan(text, values)).not.toMatch(/Seq Scan/);
  });

  test.each([
    ["page", pageStatement],
    ["total", totalStatement],
  ])(
    "the %s of runs with one request is found by its id and not met on the way through all",
    async (_name, statement) => {
      const { text, values } = statement(RUNS, runsInput({ requestId: "7f3a9c10-0000" }));
      expect(await plan(text, values)).not.toMatch(/_pkey|started_at_id_idx/);
    },
  );

  test("runs with many calls are counted in an index, without their rows", async () => {
    const { text, values } = totalStatement(RUNS, runsInput({ minCalls: 4 }));
    expect(await plan(text, values)).toMatch(/Index Only Scan using \S+_expr_started_at_cloud/);
  });

  test("states can be counted in an index, without their rows", async () => {
    // Rows as short as these may be read as fast, where others still hold back what VACUUM has seen.
    const client = await big.pool.connect();
    try {
      await client.query("SET enable_seqscan = off");
      const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${COUNT_STATES}`, [
        [CLUSTER],
      ]);
      expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(
        /Index Only Scan using node_states_counts_idx/,
      );
    } finally {
      client.release(true);
    }
  });

  test("of names that begin so, only the page's own runs are read", async () => {
    const { text, values } = pageStatement(RUNS, runsInput({ key: "w-173*" }));
    expect(await plan(text, values)).toMatch(
      /Sort[\s\S]*Index Only Scan using \S+object_name_started_at/,
    );
  });

  test("a total beyond 10,000 is a lower bound", async () => {
    const page = await listRuns(big, runsInput());
    expect(page.total).toEqual({ kind: "atLeast", count: 10_000 });
    expect(page.rows).toHaveLength(50);
  });

  test("the worst nodes come from an index", async () => {
    const input = nodesInput({ states: ["stuck"] }, { sort: { by: "state", descending: false } });
    const { text, values } = pageStatement(objectList(nodeKind, "state"), input);
    const explained = await plan(text, values);
    expect(explained).toMatch(/Index Scan|Bitmap Index Scan/);
    expect(explained).not.toMatch(/Seq Scan/);
  });
});

describe("on a wave of 500 nodes that the planner's statistics do not know of yet", () => {
  let fresh: Database;
  beforeAll(async () => {
    fresh = connect(await server.migrated(), { max: 1 });
    await fresh.pool.query(GENERATE_ROUTED_NODES, [CLUSTER]);
  });
  afterAll(() => fresh.close());

  async function scans(): Promise<number> {
    await fresh.pool.query("SELECT pg_stat_force_next_flush()");
    const { rows } = await fresh.pool.query<{ count: number }>(
      "SELECT sum(seq_scan + idx_scan)::int AS count FROM pg_stat_user_tables WHERE relname IN ('node_states', 'route_states')",
    );
    return Number(rows[0]?.count);
  }

  test("the route tables need a few scans, and not one for each node", async () => {
    const before = await scans();
    await listRouteTables(fresh, { cluster: CLUSTER, now: Date.now() });
    const used = (await scans()) - before;
    expect(used).toBeGreaterThan(0);
    expect(used).toBeLessThan(10);
  });
});

const MAKE_DAYS = `
  SELECT cloudwright_make_run_days(array_agg(DISTINCT (moment AT TIME ZONE 'UTC')::date))
    FROM generate_series($1::timestamptz - interval '100000 seconds', $1, interval '1 second') AS moment`;

const GENERATE_RUNS = `
  INSERT INTO runs (id, cluster_id, instance, controller, object_kind, object_name, trigger_kind, trigger, attempt,
                    outcome, reason_code, reason, started_at, queued_ms, change_count, dry_run, changes, not_taken, steps,
                    request_keys)
  SELECT gen_random_uuid(), $1, 'ctl-1',
         CASE WHEN n % 200 = 0 THEN 'node-route-controller' ELSE 'cloud-node-controller' END,
         'Node', 'w-' || n % 5000, 'period', '{"kind":"period"}', 1,
         CASE WHEN n % 500 = 0 THEN 'failed' WHEN n % 501 = 0 THEN 'timedOut' WHEN n % 7 = 0 THEN 'changed' ELSE 'unchanged' END,
         CASE WHEN n % 500 = 0 THEN 'ProviderThrottled' ELSE 'InStep' END, '{"code":"InStep"}',
         $2::timestamptz - n * interval '1 second', 0, 0, false, '[]', '[]', '[]',
         CASE WHEN n % 2 = 0 THEN ARRAY[substr(md5(n::text), 1, 8)] ELSE '{}' END
    FROM generate_series(1, 100000) AS n`;

const GENERATE_NODES = `
  INSERT INTO node_states (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since,
                           failures, drift, last_run_id, last_run_outcome, last_run_at, updated_at, search_text)
  SELECT $1, 'Node', 'w-' || n, 'uid-' || n, '{}', CASE WHEN n % 100 = 0 THEN 'stuck' ELSE 'ok' END,
         CASE WHEN n % 100 = 0 THEN 0 ELSE 5 END, '{"code":"InStep"}', 'InStep', 'cloud-node-controller', now(),
         0, 'inStep', '', 'unchanged', now(), now(), 'w-' || n
    FROM generate_series(1, 20000) AS n`;

const GENERATE_ROUTED_NODES = `
  WITH nodes AS (
    INSERT INTO node_states (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since,
                             failures, drift, last_run_id, last_run_outcome, last_run_at, updated_at, search_text, created_at)
    SELECT $1, 'Node', 'w-' || n, 'uid-' || n, '{}', 'ok', 5, '{"code":"InStep"}', 'InStep', 'cloud-node-controller', now(),
           0, 'inStep', '', 'unchanged', now(), now(), 'w-' || n, now()
      FROM generate_series(1, 500) AS n
    RETURNING *
  )
  INSERT INTO route_states (cluster_id, kind, name, uid, parts, state, state_rank, reason, reason_code, controller, since,
                            failures, drift, last_run_id, last_run_outcome, last_run_at, updated_at, search_text, created_at,
                            "table")
  SELECT cluster_id, 'NodeRoutes', name, uid, parts, state, state_rank, reason, reason_code, 'node-route-controller', since,
         failures, drift, last_run_id, last_run_outcome, last_run_at, updated_at, search_text, created_at, 'rtb-a'
    FROM nodes`;
