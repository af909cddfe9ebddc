import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { volumeKind } from "@cloudwright/core/model/kinds/volume";
import type pg from "pg";
import type { Database } from "../../database/database.ts";
import { countObjects } from "../../sql/objects.ts";
import type { OverviewView, RunMinute } from "../../views/overview.ts";
import { countLoadBalancers } from "../objects/load-balancers.ts";
import { fleetInitialisation } from "../objects/node-detail.ts";
import { countRoutes } from "../objects/route-counts.ts";
import { clusterHealth } from "./health.ts";
import { latestChanges } from "./overview-changes.ts";
import { listProblems } from "./overview-problems.ts";

const MINUTE_MS = 60_000;
const MINUTES = 60;

/** What one needs to know first of a cluster. `now` is the server's time; of an unknown cluster everything is empty. */
export async function overview(
  db: Database,
  input: { readonly cluster: string; readonly now: number },
): Promise<OverviewView> {
  const { cluster, now } = input;
  const [nodes, loadBalancers, routes, volumes, health, problems, fleet, minutes, changes] =
    await Promise.all([
      countObjects(db.pool, nodeKind, cluster),
      countLoadBalancers(db.pool, cluster),
      countRoutes(db.pool, cluster),
      countObjects(db.pool, volumeKind, cluster),
      clusterHealth(db.pool, { cluster, now }),
      listProblems(db.pool, cluster, now),
      fleetInitialisation(db, cluster),
      runMinutes(db.pool, cluster, now),
      latestChanges(db.pool, cluster),
    ]);
  return {
    nodes: nodes.states,
    balancers: loadBalancers,
    routes,
    volumes,
    health,
    problems,
    fleet,
    minutes,
    changes,
  };
}

const CLASSES: Readonly<Record<string, keyof Omit<RunMinute, "at">>> = {
  changed: "changed",
  waiting: "waiting",
  failed: "failed",
  timedOut: "failed",
  blocked: "failed",
  interrupted: "failed",
};

/** Per outcome, so that each count reads nothing but its part of an index, and none reads the many runs without a change. */
async function runMinutes(
  pool: pg.Pool,
  cluster: string,
  now: number,
): Promise<readonly RunMinute[]> {
  const first = Math.floor(now / MINUTE_MS) - (MINUTES - 1);
  const { rows } = await pool.query<{ minute: number; outcome: string; runs: number }>(
    `SELECT counted.minute, outcomes.outcome, counted.runs
       FROM unnest($2::text[]) AS outcomes(outcome),
            LATERAL (SELECT floor(extract(epoch FROM started_at) / 60)::int AS minute, count(*)::int AS runs
                       FROM runs
                      WHERE runs.cluster_id = $1 AND runs.outcome = outcomes.outcome
                        AND runs.started_at >= to_timestamp($3::float8) AND runs.started_at < to_timestamp($4::float8)
                      GROUP BY 1) AS counted`,
    [cluster, Object.keys(CLASSES), first * 60, (first + MINUTES) * 60],
  );
  const minutes = Array.from({ length: MINUTES }, (_, index) => ({
    at: (first + index) * MINUTE_MS,
    changed: 0,
    waiting: 0,
    failed: 0,
  }));
  for (const { minute, outcome, runs } of rows) {
    const counts = minutes[minute - first];
    const kind = CLASSES[outcome];
    if (counts !== undefined && kind !== undefined) counts[kind] += runs;
  }
  return minutes;
}
