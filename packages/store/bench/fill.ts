import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { startLedgerWriter } from "../src/ledger/ledger-writer.ts";
import { openSpool } from "../src/spool/spool.ts";
import { orphanState, serviceState, verdict } from "../testing/load-balancer-records.ts";
import { CLUSTER, heartbeat, memoryLog, nodePart, objectState } from "../testing/records.ts";
import { systemClock } from "../testing/system-clock.ts";

/** Writes the nodes' states the same way a controller does. */
export async function writeNodes(given: {
  readonly url: string;
  readonly dir: string;
  readonly nodes: number;
}): Promise<void> {
  const spool = openSpool({
    dir: path.join(given.dir, "nodes"),
    maxBytes: 1e9,
    clock: systemClock,
  });
  const now = Date.now();
  spool.append(heartbeat({ at: now }));
  for (let index = 0; index < given.nodes; index += 1) {
    const stuck = index % 100 === 0;
    spool.append(
      objectState({
        name: `w-${index}`,
        at: now - index,
        since: now - index * 1_000,
        state: stuck ? "stuck" : "ok",
        failures: stuck ? 5 : 0,
        initialisedAt: now - index * 1_000 + 2_000,
        node: nodePart({
          createdAt: now - index * 1_000,
          zone: `z${index % 3}`,
          instanceType: `m${index % 5}`,
          providerID: `sandbox://z${index % 3}/w-${index}`,
          address: `10.0.${index >> 8}.${index & 255}`,
        }),
      }),
    );
  }
  const writer = startLedgerWriter({
    spool,
    databaseUrl: given.url,
    clock: systemClock,
    log: memoryLog(),
  });
  while (writer.stats().written < given.nodes + 1) await wait(50);
  await writer.stop();
  spool.close();
}

/** Writes Services with load balancers, each with this many nodes as members, the same way a controller does; one in 50 is an orphan. */
export async function writeLoadBalancers(given: {
  readonly url: string;
  readonly dir: string;
  readonly services: number;
  readonly members: number;
}): Promise<void> {
  const spool = openSpool({
    dir: path.join(given.dir, "balancers"),
    maxBytes: 1e9,
    clock: systemClock,
  });
  const now = Date.now();
  const members = Array.from({ length: given.members }, (_, index) =>
    verdict(`w-${index}`, { providerID: `sandbox://z${index % 3}/w-${index}` }),
  );
  let records = 0;
  for (let index = 0; index < given.services; index += 1) {
    const at = now - index;
    const name = `shop-${index % 20}/web-${index}`;
    spool.append(serviceState(name, { at, since: at, reported: { members, changedAt: at } }));
    records += 1;
    if (index % 50 !== 0) continue;
    spool.append(orphanState(`lb-${index}`, { at, since: at }));
    records += 1;
  }
  const writer = startLedgerWriter({
    spool,
    databaseUrl: given.url,
    clock: systemClock,
    log: memoryLog(),
  });
  while (writer.stats().written < records) await wait(50);
  await writer.stop();
  spool.close();
}

const AT_ONCE = 100_000;
const DAYS = 30;

/**
 * Generates the runs of the last 30 days for healthy nodes and a few sick ones. Most runs are unchanged, and recent days have more of them,
 * because old runs are folded.
 */
export async function generateRuns(
  pool: pg.Pool,
  given: { readonly runs: number; readonly nodes: number },
): Promise<void> {
  await pool.query(
    `SELECT cloudwright_make_run_days(array_agg(day::date))
       FROM generate_series(now() - interval '${DAYS} days', now() + interval '1 day', interval '1 day') AS day`,
  );
  for (let first = 1; first <= given.runs; first += AT_ONCE) {
    const last = Math.min(given.runs, first + AT_ONCE - 1);
    const scale = (DAYS * 86_400_000) / given.runs ** 2;
    await onOne(pool, GENERATE, [CLUSTER, first, last, given.nodes, scale]);
  }
  await onOne(pool, "VACUUM ANALYZE runs", []);
  await onOne(pool, "VACUUM ANALYZE all_states", []);
}

export interface Disk {
  readonly rows: number;
  readonly bytes: number;
  readonly indexBytes: number;
}

/** Measures the disk space of the runs of the oldest whole day, without the free space that updates leave for later rows. */
export async function measureDisk(pool: pg.Pool): Promise<Disk> {
  const { rows: named } = await pool.query<{ day: string }>(
    `SELECT 'runs_' || to_char((now() AT TIME ZONE 'UTC')::date - ${DAYS - 1}, 'YYYYMMDD') AS day`,
  );
  const day = named[0]?.day ?? "";
  await onOne(pool, `VACUUM FULL ${day}`, []);
  const { rows } = await pool.query<{ rows: number; bytes: number; index_bytes: number }>(
    `SELECT (SELECT count(*) FROM ${day})::float8 AS rows, pg_total_relation_size('${day}')::float8 AS bytes,
            pg_indexes_size('${day}')::float8 AS index_bytes`,
  );
  const [disk] = rows;
  if (disk === undefined) throw new Error("The database did not say how large its runs are.");
  return { rows: disk.rows, bytes: disk.bytes, indexBytes: disk.index_bytes };
}

export interface Folding {
  readonly hours: number;
  readonly runs: number;
  readonly ms: number;
  readonly longestMs: number;
}

/** Folds the hours up to the end of the measured day. */
export async function foldDays(pool: pg.Pool): Promise<Folding> {
  let hours = 0;
  let runs = 0;
  let longestMs = 0;
  const began = performance.now();
  for (;;) {
    const start = performance.now();
    const { rows } = await pool.query<{ away: number | null }>(
      `SELECT cloudwright_fold_runs(((now() AT TIME ZONE 'UTC')::date - ${DAYS - 2})::timestamp AT TIME ZONE 'UTC') AS away`,
    );
    const away = rows[0]?.away;
    if (typeof away !== "number") break;
    hours += 1;
    runs += away;
    longestMs = Math.max(longestMs, performance.now() - start);
  }
  return { hours, runs, ms: performance.now() - began, longestMs };
}

/** Runs a query on its own connection, without the pool's query timeout. */
async function onOne(pool: pg.Pool, text: string, values: readonly unknown[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query({ text, values: [...values], query_timeout: 600_000 } as pg.QueryConfig);
  } finally {
    client.release();
  }
}

const GENERATE = `
  INSERT INTO runs (id, cluster_id, instance, controller, object_kind, object_name, object_uid, trigger_kind, trigger,
                    attempt, outcome, reason_code, reason, next, started_at, queued_ms, duration_ms, plan_ms,
                    cloud_calls, kube_calls, change_count, applied, dry_run, changes, not_taken, steps)
  SELECT (lpad(to_hex(at_ms), 12, '0') || '7' || substr(salt, 1, 3) || '8' || substr(salt, 4, 15))::uuid,
         $1, 'ctl-1_6f3c2a10-7a6d-4a0e-9d52-1f0a4b7c8d9e',
         CASE WHEN n % 3 = 0 THEN 'cloud-node-lifecycle-controller' ELSE 'cloud-node-controller' END,
         'Node', name, md5(name)::uuid::text, trigger_kind, jsonb_build_object('kind', trigger_kind), 1,
         outcome, reason_code, jsonb_build_object('code', reason_code),
         jsonb_build_object('kind', 'settled', 'reason', jsonb_build_object('code', reason_code)),
         to_timestamp(at_ms / 1000.0), random() * 20, 10 + random() * 200, random(),
         1, CASE WHEN outcome = 'changed' THEN 3 ELSE 0 END,
         CASE WHEN outcome = 'changed' THEN 1 ELSE 0 END, CASE WHEN outcome = 'changed' THEN 1 ELSE 0 END, false,
         CASE WHEN outcome = 'changed' THEN jsonb_build_array(change) ELSE '[]' END, '[]',
         CASE WHEN outcome = 'changed' THEN jsonb_build_array(step, step, step, step) ELSE jsonb_build_array(step) END
    FROM (
      SELECT n, md5(n::text) AS salt, 'w-' || (hashint4(n) & 2147483647) % $4::int AS name,
             (extract(epoch FROM now()) * 1000 - n::float8 * n * $5::float8)::bigint AS at_ms,
             CASE WHEN n % 20 = 0 THEN 'retry' WHEN n % 10 = 0 THEN 'change' ELSE 'period' END AS trigger_kind,
             CASE WHEN n % 50 = 0 THEN 'failed' WHEN n % 37 = 0 THEN 'waiting' WHEN n % 16 = 0 THEN 'changed'
                  WHEN n % 1001 = 0 THEN 'timedOut' ELSE 'unchanged' END AS outcome,
             CASE WHEN n % 50 = 0 THEN 'ProviderThrottled' WHEN n % 37 = 0 THEN 'InstanceStopped'
                  WHEN n % 16 = 0 THEN 'Initialised' ELSE 'InStep' END AS reason_code
        FROM generate_series($2::int, $3::int) AS n
    ) AS made,
    LATERAL (SELECT jsonb_build_object(
        'phase', 'observe', 'system', 'cloud', 'operation', 'GET /v1/instances', 'target', name, 'offsetMs', 1,
        'durationMs', 50 + n % 40, 'limiterWaitMs', 0, 'status', 200, 'requestId', substr(salt, 1, 16), 'attempt', 1,
        'sharedBy', 200) AS step,
      jsonb_build_object(
        'kind', 'node.initialise', 'system', 'cluster', 'target', jsonb_build_object('kind', 'Node', 'name', name),
        'before', NULL, 'after', jsonb_build_object('providerID', 'sandbox://z1/' || name, 'labels',
          jsonb_build_object('topology.kubernetes.io/zone', 'z1', 'node.kubernetes.io/instance-type', 'm1')),
        'reason', jsonb_build_object('code', 'Uninitialised')) AS change) AS parts`;
