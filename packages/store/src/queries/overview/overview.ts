import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { volumeKind } from "@cloudwright/core/model/kinds/volume";
import type { Database } from "../../database/database.ts";
import { fleetInitialisation, latestChanges, runMinutes } from "../../sql/activity.ts";
import { listProblems } from "../../sql/health.ts";
import { countObjects } from "../../sql/objects.ts";
import { countRoutes } from "../../sql/routes.ts";
import type { ClusterCounts, OverviewView } from "../../views/overview.ts";
import { countLoadBalancers } from "../objects/load-balancers.ts";
import { clusterHealth } from "./health.ts";

/** What one needs to know first of a cluster. `now` is the server's time; of an unknown cluster everything is empty. */
export async function overview(
  db: Database,
  input: { readonly cluster: string; readonly now: number },
): Promise<OverviewView> {
  const { cluster, now } = input;
  const [counts, problems, fleet, minutes, changes] = await Promise.all([
    countCluster(db, input),
    listProblems(db.pool, cluster, now),
    fleetInitialisation(db.pool, cluster),
    runMinutes(db.pool, cluster, now),
    latestChanges(db.pool, cluster),
  ]);
  return { ...counts, problems, fleet, minutes, changes };
}

/** How all that is in a cluster stands. */
export async function countCluster(
  { pool }: Pick<Database, "pool">,
  { cluster, now }: { readonly cluster: string; readonly now: number },
): Promise<ClusterCounts> {
  const [nodes, balancers, routes, volumes, health] = await Promise.all([
    countObjects(pool, nodeKind, cluster),
    countLoadBalancers(pool, cluster),
    countRoutes(pool, cluster),
    countObjects(pool, volumeKind, cluster),
    clusterHealth(pool, { cluster, now }),
  ]);
  return { nodes: nodes.states, balancers, routes, volumes, health };
}
