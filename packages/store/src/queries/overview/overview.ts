import type { ObjectKind } from "@cloudwright/core/model/kinds/define-kind";
import { orphanKind, serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { nodeRoutesKind } from "@cloudwright/core/model/kinds/route";
import { volumeKind } from "@cloudwright/core/model/kinds/volume";
import { STATES, type State } from "@cloudwright/core/model/state";
import { grouped } from "@cloudwright/core/model/values/grouped";
import type { Database } from "../../database/database.ts";
import {
  type Counted,
  countStates,
  listProblems,
  readInventories,
} from "../../sql/objects/health.ts";
import { NO_ROUTES, type RouteSums, sumRoutes } from "../../sql/objects/routes.ts";
import { fleetInitialisation, latestChanges, runMinutes } from "../../sql/runs/activity.ts";
import type { ClusterCounts, OverviewPart, OverviewView } from "../../views/overview.ts";
import type { ObjectCounts } from "../../views/views.ts";
import { orphanCounts } from "../objects/load-balancers.ts";
import { type PartialInput, partReader } from "../partial/part-reader.ts";
import { healthOf } from "./health.ts";

interface OverviewInput extends PartialInput {
  readonly cluster: string;
  /** The server's time. */
  readonly now: number;
}

/**
 * Returns the most important facts about a cluster; all empty for an unknown one. An on-call user must learn what is wrong even while the
 * last hour's changes cannot be read.
 */
export async function overview(db: Database, input: OverviewInput): Promise<OverviewView> {
  const { cluster, now } = input;
  const { part, naming } = partReader<OverviewPart>(input);
  const [counts, problems, fleet, minutes, changes] = await Promise.all([
    countCluster(db, input),
    listProblems(db.pool, cluster, now),
    part("fleet", fleetInitialisation(db.pool, cluster), undefined),
    part("minutes", runMinutes(db.pool, cluster, now), []),
    part("changes", latestChanges(db.pool, cluster), []),
  ]);
  return naming({ ...counts, problems, fleet, minutes, changes });
}

async function countCluster(
  db: Pick<Database, "pool">,
  { cluster, now }: { readonly cluster: string; readonly now: number },
): Promise<ClusterCounts> {
  const [counted] = await countClusters(db, { clusters: [{ id: cluster }], now });
  if (counted === undefined) throw new Error(`Nothing was counted of cluster ${cluster}.`);
  const { cluster: _of, ...counts } = counted;
  return counts;
}

/** Counts the objects of each cluster by state: each object once, and all clusters in one statement. */
export async function countClusters<Of extends { readonly id: string }>(
  { pool }: Pick<Database, "pool">,
  { clusters, now }: { readonly clusters: readonly Of[]; readonly now: number },
): Promise<readonly (ClusterCounts & { readonly cluster: Of })[]> {
  if (clusters.length === 0) return [];
  const ids = clusters.map(({ id }) => id);
  const counting = countStates(pool, ids).then((rows) => grouped(rows, (row) => row.cluster));
  const summing = sumRoutes(pool, ids);
  const inventories = readInventories(pool, ids);
  return Promise.all(
    clusters.map(async (cluster) => {
      const { id } = cluster;
      const counted = counting.then((ofEach) => ofEach.get(id) ?? []);
      const inventory = inventories.then((each) => each.find((row) => row.cluster === id));
      const [rows, routes, health] = await Promise.all([
        counted,
        summing,
        healthOf(pool, { counting: counted, inventory }, { cluster: id, now }),
      ]);
      return { cluster, ...stateCounts(rows, routes.get(id) ?? NO_ROUTES), health };
    }),
  );
}

function stateCounts(rows: readonly Counted[], routes: RouteSums): Omit<ClusterCounts, "health"> {
  const countsOf = (kind: ObjectKind) => countsOfKind(rows, kind);
  return {
    nodes: countsOf(nodeKind).states,
    balancers: { ...countsOf(serviceKind), ...orphanCounts(countsOf(orphanKind)) },
    routes: { ...countsOf(nodeRoutesKind), ...routes },
    volumes: countsOf(volumeKind),
  };
}

/** A state that this release does not know is left out. */
function countsOfKind(rows: readonly Counted[], { name }: ObjectKind): ObjectCounts {
  const own = rows.filter(({ kind }) => kind === name);
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
  const inRank = (rank: number) =>
    sum(own.filter((row) => row.rank === rank).map(({ count }) => count));
  const states = Object.fromEntries(STATES.map((state, rank) => [state, inRank(rank)])) as Record<
    State,
    number
  >;
  return { states, drifted: sum(own.map(({ drifted }) => drifted)) };
}
