import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { volumeKind } from "@cloudwright/core/model/kinds/volume";
import type { Database } from "../../database/database.ts";
import { fleetInitialisation, latestChanges, runMinutes } from "../../sql/activity.ts";
import { listProblems } from "../../sql/health.ts";
import { countObjects } from "../../sql/objects.ts";
import { countRoutes } from "../../sql/routes.ts";
import type { OverviewView } from "../../views/overview.ts";
import { countLoadBalancers } from "../objects/load-balancers.ts";
import { clusterHealth } from "./health.ts";

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
      fleetInitialisation(db.pool, cluster),
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
