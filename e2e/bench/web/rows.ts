import { rowsOf } from "../../harness/database.ts";
import { addRoutes } from "../../harness/route-rows.ts";
import { fillLists } from "../../shots/list-rows.ts";
import { CLUSTER, fillFleet } from "../fleet-rows.ts";
import type { ShownIds } from "./requests.ts";

/** The size of the ledger on which the pages are measured. */
export interface LedgerSize {
  readonly clusters: number;
  readonly nodes: number;
  readonly services: number;
  readonly runs: number;
  readonly auditEntries: number;
}

/** Rows per statement, which has to finish within the client's limit of a minute on a busy machine. */
const RUNS_AT_ONCE = 25_000;
const ENTRIES_AT_ONCE = 5_000;
const DAYS = 30;
const SMALL_FLEET = 200;
/** The number of earlier states of each object. */
const CHANGES_OF_EACH = 10;
/** The maximum that a cluster keeps. */
const INCIDENTS_MOST = 500;

/**
 * Fills an empty ledger: one large cluster with all of its lists, whose runs and state changes go back 30 days, with fewer old
 * ones, as those are folded; and small clusters beside it.
 */
export async function fillLedger(
  databaseUrl: string,
  size: LedgerSize,
  report: (text: string) => void,
): Promise<void> {
  await fillFleet(databaseUrl, size.nodes);
  await addRoutes(databaseUrl, { cluster: CLUSTER, nodes: size.nodes });
  await fillLists(databaseUrl, size.services);
  await rowsOf(databaseUrl, CHANGES, [CLUSTER, DAYS, CHANGES_OF_EACH]);
  await rowsOf(databaseUrl, ENDS, [CLUSTER]);
  // Orders the rows as if they had been written one after the other.
  await rowsOf(databaseUrl, "CLUSTER state_changes USING state_changes_at_cluster_id_idx");
  await rowsOf(databaseUrl, INCIDENTS, [CLUSTER, INCIDENTS_MOST]);
  await addSmallClusters(databaseUrl, size.clusters - 1);
  report(`states of ${size.nodes} nodes and ${size.services} load balancers are there`);
  await rowsOf(databaseUrl, DAYS_OF_RUNS, [DAYS]);
  const scale = (DAYS * 86_400_000) / size.runs ** 2;
  for (let first = 1; first <= size.runs; first += RUNS_AT_ONCE) {
    const last = Math.min(size.runs, first + RUNS_AT_ONCE - 1);
    await rowsOf(databaseUrl, RUNS, [CLUSTER, first, last, size.nodes, scale]);
  }
  report(`${size.runs} runs are there`);
  for (let first = 1; first <= size.auditEntries; first += ENTRIES_AT_ONCE) {
    const last = Math.min(size.auditEntries, first + ENTRIES_AT_ONCE - 1);
    await rowsOf(databaseUrl, AUDIT, [CLUSTER, first, last, size.nodes, size.auditEntries]);
  }
  report(`${size.auditEntries} audit entries are there`);
  // Autovacuum would have run long before a ledger is this large: without it, no index can serve a count alone.
  for (const table of await tables(databaseUrl)) {
    await rowsOf(databaseUrl, `VACUUM (ANALYZE) ${table}`);
  }
}

/** Returns ids from a filled ledger: its newest run that changed something, an action, and a batch with some of its actions. */
export async function shownIds(databaseUrl: string): Promise<ShownIds> {
  const [found] = await rowsOf<ShownIds>(databaseUrl, SHOWN, [CLUSTER, BATCH]);
  if (found === undefined) throw new Error("The ledger has no run or no action: fill it anew.");
  return found;
}

const BATCH = "5d2c2a10-0000-4000-8000-00000000ba7c";

/** Creates the batch if there is none yet. */
const SHOWN = `
  WITH batched AS (
    UPDATE intents SET batch_id = $2::uuid
     WHERE cluster_id = $1 AND id IN (SELECT id FROM intents WHERE cluster_id = $1 ORDER BY id LIMIT 50))
  SELECT run.id::text AS run, action.id::text AS action, $2 AS batch
    FROM (SELECT id FROM runs WHERE cluster_id = $1 AND outcome = 'changed' ORDER BY started_at DESC LIMIT 1) AS run,
         (SELECT id FROM intents WHERE cluster_id = $1 ORDER BY id LIMIT 1) AS action`;

/** One statement per table: all at once would exceed the time limit of a statement. */
async function tables(databaseUrl: string): Promise<readonly string[]> {
  const rows = await rowsOf<{ name: string }>(
    databaseUrl,
    `SELECT format('%I', relname) AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

async function addSmallClusters(databaseUrl: string, count: number): Promise<void> {
  const [columns] = await rowsOf<{ list: string }>(databaseUrl, NODE_COLUMNS);
  for (let number = 1; number <= count; number += 1) {
    const id = `6f3c2a10-0000-4000-8000-0000000001${String(number).padStart(2, "0")}`;
    await rowsOf(
      databaseUrl,
      "INSERT INTO clusters (id, name, provider, last_heard_at) VALUES ($1, $2, 'sandbox', now())",
      [id, `small-${number}`],
    );
    await rowsOf(
      databaseUrl,
      `INSERT INTO node_states (cluster_id, ${columns?.list})
       SELECT $1, ${columns?.list} FROM node_states WHERE cluster_id = $2 ORDER BY name LIMIT $3`,
      [id, CLUSTER, SMALL_FLEET],
    );
  }
}

const NODE_COLUMNS = `
  SELECT string_agg(format('%I', column_name), ', ') AS list FROM information_schema.columns
   WHERE table_schema = 'public' AND table_name = 'node_states' AND is_generated = 'NEVER' AND column_name <> 'cluster_id'`;

/** Earlier states of each object, at different times over the days: alternately stuck and healthy. */
const CHANGES = `
  INSERT INTO state_changes (cluster_id, kind, name, at, uid, state, state_rank, reason, reason_code, drift, address,
                             name_key, appeared)
  SELECT cluster_id, kind, name, moment, uid, CASE WHEN is_well THEN 'ok' ELSE 'stuck' END,
         CASE WHEN is_well THEN 5 ELSE 0 END,
         CASE WHEN is_well THEN '{"code":"InStep"}'::jsonb
              ELSE jsonb_build_object('code', 'ProviderThrottled', 'provider', 'sandbox', 'operation', 'GET /v1/instances',
                                      'requestId', md5(name)) END,
         CASE WHEN is_well THEN 'InStep' ELSE 'ProviderThrottled' END, 'inStep', address, name_key, false
    FROM all_states,
         LATERAL (SELECT now() - interval '4 hours' - ($2::int * interval '1 day') * (n - 1 + (hashtext(name || n) & 1023) / 1024.0) / $3::int
                           AS moment, n % 2 = 0 AS is_well
                    FROM generate_series(1, $3::int) AS n) AS before
   WHERE cluster_id = $1
  ON CONFLICT DO NOTHING`;

/** Ends as the triggers would have recorded them: each lasts until the next, and only the first appeared. */
const ENDS = `
  UPDATE state_changes SET until = noted.next, appeared = noted.is_first
    FROM (SELECT kind, name, at, lead(at) OVER in_order AS next, lag(at) OVER in_order IS NULL AS is_first
            FROM state_changes WHERE cluster_id = $1
          WINDOW in_order AS (PARTITION BY kind, name ORDER BY at)) AS noted
   WHERE state_changes.cluster_id = $1 AND state_changes.kind = noted.kind AND state_changes.name = noted.name
     AND state_changes.at = noted.at`;

const INCIDENTS = `
  INSERT INTO incidents (id, cluster_id, subject, snapshot, maker_id, maker_name, made_at)
  SELECT md5('incident' || n)::uuid, $1, 'Node node-' || lpad(n::text, 4, '0'),
         jsonb_build_object('facts', (SELECT jsonb_agg(jsonb_build_object('label', md5(n::text || k))) FROM generate_series(1, 200) AS k)),
         'ana', 'ana@example.test', now() - n * interval '1 hour'
    FROM generate_series(1, $2::int) AS n`;

const DAYS_OF_RUNS = `
  SELECT cloudwright_make_run_days(array_agg(day::date))
    FROM generate_series(now() - $1::int * interval '1 day', now() + interval '1 day', interval '1 day') AS day`;

const RUNS = `
  INSERT INTO runs (id, cluster_id, instance, controller, object_kind, object_name, object_uid, trigger_kind, trigger,
                    attempt, outcome, reason_code, reason, next, started_at, queued_ms, duration_ms, plan_ms,
                    cloud_calls, kube_calls, change_count, applied, dry_run, changes, not_taken, steps, request_keys)
  SELECT (lpad(to_hex(at_ms), 12, '0') || '7' || substr(salt, 1, 3) || '8' || substr(salt, 4, 15))::uuid, $1, 'ctl-1',
         CASE WHEN n % 3 = 0 THEN 'cloud-node-lifecycle-controller' ELSE 'cloud-node-controller' END, 'Node', name,
         md5(name)::uuid::text, trigger_kind, jsonb_build_object('kind', trigger_kind), 1, outcome, code,
         jsonb_build_object('code', code),
         jsonb_build_object('kind', 'settled', 'reason', jsonb_build_object('code', code)),
         to_timestamp(at_ms / 1000.0), n % 20, 10 + n % 200, 1, 1 + n % 4, CASE outcome WHEN 'changed' THEN 3 ELSE 0 END,
         CASE outcome WHEN 'changed' THEN 1 ELSE 0 END, CASE outcome WHEN 'changed' THEN 1 ELSE 0 END, false, '[]', '[]',
         jsonb_build_array(jsonb_build_object('phase', 'observe', 'system', 'cloud', 'operation', 'GET /v1/instances',
           'target', name, 'offsetMs', 1, 'durationMs', 8 + n % 100, 'limiterWaitMs', 0, 'status', 200, 'requestId',
           substr(salt, 1, 16), 'attempt', 1, 'sharedBy', 200)),
         ARRAY[substr(salt, 1, 8)]
    FROM (SELECT n, md5(n::text) AS salt, 'node-' || lpad((1 + (hashint4(n) & 2147483647) % $4::int)::text, 4, '0') AS name,
                 (extract(epoch FROM now()) * 1000 - n::float8 * n * $5::float8)::bigint AS at_ms,
                 CASE WHEN n % 20 = 0 THEN 'retry' WHEN n % 10 = 0 THEN 'change' ELSE 'period' END AS trigger_kind,
                 CASE WHEN n % 50 = 0 THEN 'failed' WHEN n % 37 = 0 THEN 'waiting' WHEN n % 16 = 0 THEN 'changed'
                      WHEN n % 1001 = 0 THEN 'timedOut' ELSE 'unchanged' END AS outcome,
                 CASE WHEN n % 50 = 0 THEN 'ProviderThrottled' WHEN n % 37 = 0 THEN 'InstanceStopped'
                      WHEN n % 16 = 0 THEN 'Initialised' ELSE 'InStep' END AS code
            FROM generate_series($2::int, $3::int) AS n) AS made`;

/** Uses the function that chains the entries, as a controller and the dashboard do. */
const AUDIT = `
  SELECT cloudwright_audit(jsonb_agg(jsonb_build_object('id', md5('entry' || n)::uuid, 'cluster_id', $1::text,
           'at', (extract(epoch FROM now()) * 1000)::bigint - ($5::bigint - n) * 2500,
           'actor_kind', CASE WHEN n % 5 = 0 THEN 'person' ELSE 'controller' END,
           'actor_id', CASE WHEN n % 5 = 0 THEN 'ana' ELSE 'cloud-node-controller' END,
           'actor_name', CASE WHEN n % 5 = 0 THEN 'ana@example.test' ELSE 'cloud-node-controller' END,
           'action', CASE WHEN n % 5 = 0 THEN 'intent.request' ELSE 'node.initialise' END,
           'object_kind', 'Node', 'object_name', name, 'object_uid', md5(name)::uuid::text,
           'why', CASE WHEN n % 5 = 0 THEN 'INC-' || n || ': looked at after the outage' ELSE 'Initialised.' END,
           'result', CASE WHEN n % 90 = 0 THEN 'refused' ELSE 'applied' END, 'before', NULL,
           'after', jsonb_build_object('providerID', 'sandbox://zone-1/' || name),
           'run_id', md5('run' || n)::uuid) ORDER BY n))
    FROM (SELECT n, 'node-' || lpad((1 + n % $4::int)::text, 4, '0') AS name
            FROM generate_series($2::int, $3::int) AS n) AS made`;
