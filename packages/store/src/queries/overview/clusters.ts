import { heartbeatSchema } from "@cloudwright/core/model/records/record";
import { grouped } from "@cloudwright/core/model/values/grouped";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import type { Cluster, ControllerInstance } from "../../generated/client.ts";
import { countOpenIntents } from "../../intents/intents.ts";
import { PROCESS_MEMBERS } from "../../ledger/record-rows.ts";
import { OperationError } from "../../operations/errors.ts";
import { runsOfLastHour } from "../../sql/runs/activity.ts";
import { orUndefined, readJson } from "../../sql/stored-json.ts";
import { type ClusterAccess, unknownCluster } from "../../users/cluster-access.ts";
import type { ClusterView, ControllerInstanceView } from "../../views/clusters.ts";
import { countWaitingAdoptions, NO_WAITING } from "../adoption/takeover.ts";
import { visibleClusters } from "../fleet/visible-clusters.ts";
import { listGaps } from "../runs/runs.ts";
import { countClusters } from "./overview.ts";

/** Returns every visible cluster that a controller has ever reported, by name. */
export async function listClusters(
  db: Database,
  access: ClusterAccess = "all",
): Promise<readonly ClusterView[]> {
  return clusterViews(db, await visibleClusters(db, access));
}

/** Returns a cluster. Throws OperationError NotFound for one that no controller has reported. */
export async function clusterById(db: Database, id: string): Promise<ClusterView> {
  const cluster = await db.prisma.cluster.findUnique({ where: { id } });
  if (cluster === null) {
    throw new OperationError("NotFound", unknownCluster);
  }
  const [view] = await clusterViews(db, [cluster]);
  if (view === undefined) throw new Error(`There is no view of cluster ${id}.`);
  return view;
}

/** How long an instance is listed after its last heartbeat, measured against the cluster's newest heartbeat. */
const INSTANCE_KEPT_MS = 3_600_000;
const GAPS_SHOWN_MS = 7 * 86_400_000;
const GAPS_SHOWN_MOST = 10;

/** Returns when a cluster last reported, and its leader; undefined if no controller has reported it. */
export async function clusterReports(
  db: Database,
  id: string,
): Promise<Pick<ClusterView, "id" | "name" | "lastHeardAt" | "leader"> | undefined> {
  const cluster = await db.prisma.cluster.findUnique({ where: { id } });
  if (cluster === null) return undefined;
  const instances = await instancesOf(db, [cluster]);
  return reportsOf(cluster, instances.get(id) ?? []);
}

function reportsOf(cluster: Cluster, instances: readonly ControllerInstanceView[]) {
  return {
    ...{ id: cluster.id, name: cluster.name },
    lastHeardAt: lastHeardAt(instances) ?? cluster.lastHeardAt.getTime(),
    leader: leaderOf(instances),
  };
}

/** Returns the instances by cluster. */
async function instancesOf(
  { prisma }: Database,
  clusters: readonly Cluster[],
): Promise<ReadonlyMap<string, readonly ControllerInstanceView[]>> {
  const stored = await prisma.controllerInstance.findMany({
    where: {
      OR: clusters.map(({ id, lastHeardAt: heardAt }) => ({
        clusterId: id,
        heardAt: { gt: new Date(heardAt.getTime() - INSTANCE_KEPT_MS) },
      })),
    },
    orderBy: [{ heardAt: "desc" }, { identity: "asc" }],
  });
  const ofCluster = grouped(stored, ({ clusterId }) => clusterId);
  return new Map([...ofCluster].map(([cluster, rows]) => [cluster, rows.map(instanceView)]));
}

/** Reads all clusters at once where possible: each statement takes longer to send than to answer. */
async function clusterViews(
  db: Database,
  clusters: readonly Cluster[],
): Promise<readonly ClusterView[]> {
  const now = Date.now();
  const ids = clusters.map(({ id }) => id);
  const [instances, counts, runs, openIntents, waiting, gaps] = await Promise.all([
    instancesOf(db, clusters),
    countClusters(db, { clusters, now }),
    runsOfLastHour(db.pool, ids, now),
    countOpenIntents(db, ids),
    countWaitingAdoptions(db, ids),
    latestGaps(db, ids, now - GAPS_SHOWN_MS),
  ]);
  return counts.map(({ cluster, ...counted }) => {
    const { id, provider } = cluster;
    const known = instances.get(id) ?? [];
    return {
      ...reportsOf(cluster, known),
      ...{ provider, instances: known, ...counted },
      runs: runs.get(id) ?? NO_RUNS,
      openIntents: openIntents.get(id) ?? 0,
      waiting: waiting.get(id) ?? NO_WAITING,
      gaps: gaps.get(id) ?? [],
    };
  });
}

/** Returns the gaps by cluster, of clusters that have any: most have none. */
async function latestGaps(
  db: Database,
  clusters: readonly string[],
  from: number,
): Promise<ReadonlyMap<string, ClusterView["gaps"]>> {
  const incomplete = await db.prisma.ledgerGap.groupBy({
    by: ["clusterId"],
    where: { clusterId: { in: [...clusters] }, toAt: { gte: new Date(from) } },
  });
  const lists = incomplete.map(async ({ clusterId: cluster }) => {
    const gaps = await listGaps(db, { cluster, from, limit: GAPS_SHOWN_MOST });
    return [cluster, gaps] as const;
  });
  return new Map(await Promise.all(lists));
}

const NO_RUNS: ClusterView["runs"] = { all: 0, changed: 0, failed: 0 };

/** A dry run's heartbeat says nothing about the acting controllers, if there are any. */
function lastHeardAt(instances: readonly ControllerInstanceView[]): number | undefined {
  const acting = instances.filter(({ dryRun }) => !dryRun).map(({ heardAt }) => heardAt);
  return acting.length === 0 ? undefined : Math.max(...acting);
}

/** A leader that crashed claimed to lead until the end; the newer lease wins. A dry run leads only itself. */
function leaderOf(
  instances: readonly ControllerInstanceView[],
): ControllerInstanceView | undefined {
  const term = (instance: ControllerInstanceView) => instance.leaseTransitions ?? 0;
  return instances
    .filter((instance) => instance.leader)
    .sort(
      (left, right) =>
        Number(left.dryRun) - Number(right.dryRun) ||
        term(right) - term(left) ||
        right.heardAt - left.heardAt,
    )[0];
}

/** Absent in a row of an older release. */
const processSchema = z.object(heartbeatSchema.def.innerType.shape).pick(PROCESS_MEMBERS);

function instanceView(row: ControllerInstance): ControllerInstanceView {
  const { controllers, cloud, controls } = heartbeatSchema.def.innerType.shape;
  return {
    identity: row.identity,
    version: row.version,
    leader: row.leader,
    leaseTransitions: orUndefined(row.leaseTransitions),
    heardAt: row.heardAt.getTime(),
    watchSilentMs: Number(row.watchSilentMs),
    spoolBytes: Number(row.spoolBytes),
    dryRun: row.dryRun,
    controllers: readJson(controllers, row.controllers, []),
    controls: readJson(controls, orUndefined(row.controls), undefined),
    ...readJson(processSchema, row.process, {}),
    cloud: readJson(cloud, orUndefined(row.cloud), undefined),
  };
}
