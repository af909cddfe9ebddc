import {
  CONTROLLER_NAMES,
  type ControllerName,
  inOrder,
} from "@cloudwright/core/model/controller-names";
import { settingsRecordSchema } from "@cloudwright/core/model/records/settings-record";
import type pg from "pg";
import type { Database } from "../../database/database.ts";
import { readJson, readTime } from "../../sql/stored-json.ts";
import { readExpected } from "../../states/expected-controllers.ts";
import type { ControllerActivity, ProcessSettings } from "../../views/controllers.ts";

const HOUR_MS = 3_600_000;

interface StoredActivity {
  readonly controller: ControllerName;
  readonly runs: number;
  readonly failed: number;
  readonly newest_at: Date | null;
}

/**
 * The last hour of every controller of this release and of every other that runs, also of those without a run. Each count reads its part of an index. `now`: the
 * server's time.
 */
export async function controllerActivity(
  pool: pg.Pool,
  { cluster, now }: { readonly cluster: string; readonly now: number },
): Promise<readonly ControllerActivity[]> {
  const { acting = [], dryRun = [] } = await readExpected(pool, cluster);
  const names = inOrder([...CONTROLLER_NAMES, ...acting, ...dryRun]);
  const { rows } = await pool.query<StoredActivity>(
    `WITH failures AS (
       SELECT controller, count(*)::int AS failed
         FROM runs
        WHERE cluster_id = $1 AND outcome IN ('failed', 'timedOut', 'blocked') AND started_at > $3
        GROUP BY controller
     )
     SELECT controllers.controller, counted.runs, COALESCE(failures.failed, 0) AS failed, newest.started_at AS newest_at
       FROM unnest($2::text[]) AS controllers(controller)
       LEFT JOIN failures USING (controller)
       CROSS JOIN LATERAL (SELECT count(*)::int AS runs FROM runs
                            WHERE runs.cluster_id = $1 AND runs.controller = controllers.controller
                              AND runs.started_at > $3) AS counted
       LEFT JOIN LATERAL (SELECT started_at FROM runs
                           WHERE runs.cluster_id = $1 AND runs.controller = controllers.controller
                           ORDER BY started_at DESC LIMIT 1) AS newest ON true`,
    [cluster, names, new Date(now - HOUR_MS)],
  );
  return rows.map(({ newest_at, ...counts }) => ({ ...counts, newestAt: readTime(newest_at) }));
}

/** An instance is listed for so long after it was last heard, measured against the cluster's newest heartbeat. */
const INSTANCE_KEPT_MS = HOUR_MS;

interface StoredSettings {
  readonly identity: string;
  readonly at: Date;
  readonly leader: boolean;
  readonly dry_run: boolean;
  readonly flags: unknown;
}

/** The flags of the processes that were heard lately: that of the leader first, a dry run's last. */
export async function processSettings(
  db: Database,
  cluster: string,
): Promise<readonly ProcessSettings[]> {
  const { rows } = await db.pool.query<StoredSettings>(
    `SELECT settings.identity, settings.at, instances.leader, instances.dry_run, settings.flags
       FROM controller_settings AS settings
       JOIN controller_instances AS instances USING (cluster_id, identity)
       JOIN clusters ON clusters.id = settings.cluster_id
      WHERE settings.cluster_id = $1
        AND instances.heard_at > clusters.last_heard_at - make_interval(secs => $2)
      ORDER BY instances.dry_run, instances.leader DESC, instances.lease_transitions DESC NULLS LAST,
               instances.heard_at DESC, settings.identity`,
    [cluster, INSTANCE_KEPT_MS / 1_000],
  );
  const { flags } = settingsRecordSchema.unwrap().shape;
  return rows.map((row) => ({
    identity: row.identity,
    at: row.at.getTime(),
    leader: row.leader,
    dryRun: row.dry_run,
    flags: readJson(flags, row.flags, []),
  }));
}
