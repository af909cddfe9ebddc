import { owner } from "./dashboard-server.ts";

/** Adds a cluster with so many runs, three of which start at each moment, so that pages end between equal ones. */
export async function addLongList(cluster: string, runs: number): Promise<void> {
  const { pool, prisma } = owner();
  await prisma.cluster.create({
    data: { id: cluster, name: "long", provider: "sandbox", lastHeardAt: new Date() },
  });
  await pool.query(MAKE_DAYS);
  await pool.query(GENERATE_RUNS, [cluster, runs]);
}

const MAKE_DAYS = `
  SELECT cloudwright_make_run_days(array_agg(DISTINCT (moment AT TIME ZONE 'UTC')::date))
    FROM generate_series(now() - interval '1 day', now(), interval '1 hour') AS moment`;

const GENERATE_RUNS = `
  INSERT INTO runs (id, cluster_id, instance, controller, object_kind, object_name, trigger_kind, trigger, attempt,
                    outcome, reason_code, reason, started_at, queued_ms, change_count, dry_run, changes, not_taken, steps)
  SELECT gen_random_uuid(), $1, 'ctl-1', 'cloud-node-controller', 'Node', 'w-' || n, 'period', '{"kind":"period"}', 1,
         'unchanged', 'InStep', '{"code":"InStep"}', now() - (n / 3) * interval '1 millisecond', 0, 0, false, '[]', '[]', '[]'
    FROM generate_series(1, $2::int) AS n`;
