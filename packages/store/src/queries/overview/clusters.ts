import { heartbeatSchema } from "@cloudwright/core/model/records/record";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import type { Cluster, ControllerInstance } from "../../generated/client.ts";
import { countOpenIntents } from "../../intents/intents.ts";
import { PROCESS_MEMBERS } from "../../ledger/run-row.ts";
import { OperationError } from "../../operations/errors.ts";
import { runsOfLastHour } from "../../sql/activity.ts";
import { orUndefined, readJson } from "../../sql/stored-json.ts";
import { type ClusterAccess, unknownCluster } from "../../users/cluster-access.ts";
import type { ClusterView, ControllerInstanceView } from "../../views/clusters.ts";
import { countWaitingAdoptions } from "../adoption/takeover.ts";
import { visibleClusters } from "../fleet/visible-clusters.ts";
import { listGaps } from "../runs/runs.ts";
import { countCluster } from "./overview.ts";

/** Every cluster that a controller has ever reported and that may be seen, by name. */
export async function listClusters(
  db: Database,
  access: ClusterAccess = "all",
): Promise<readonly ClusterView[]> {
  const clusters = await visibleClusters(db, access);
  return Promise.all(clusters.map((cluster) => clusterView(db, cluster)));
}

/** Throws OperationError NotFound for a cluster that no controller has reported. */
export async function clusterById(db: Database, id: string): Promise<ClusterView> {
  const cluster = await db.prisma.cluster.findUnique({ where: { id } });
  if (cluster === null) {
    throw new OperationError("NotFound", unknownCluster);
  }
  return clusterView(db, cluster);
}

/** An instance is listed for so long after it was last heard, measured against the cluster's newest heartbeat. */
const INSTANCE_KEPT_MS = 3_600_000;
const GAPS_SHOWN_MS = 7 * 86_400_000;

/** When a cluster last reported, and who leads; undefined for one that no controller has reported. */
export async function clusterReports(
  db: Database,
  id: string,
): Promise<Pick<ClusterView, "id" | "name" | "lastHeardAt" | "leader"> | undefined> {
  const cluster = await db.prisma.cluster.findUnique({ where: { id } });
  return cluster === null ? undefined : reportsOf(cluster, await instancesOf(db, cluster));
}

function reportsOf(cluster: Cluster, instances: readonly ControllerInstanceView[]) {
  return {
    ...{ id: cluster.id, name: cluster.name },
    lastHeardAt: lastHeardAt(instances) ?? cluster.lastHeardAt.getTime(),
    leader: leaderOf(instances),
  };
}

async function instancesOf(
  { prisma }: Database,
  cluster: Cluster,
): Promise<readonly ControllerInstanceView[]> {
  const stored = await prisma.controllerInstance.findMany({
    where: {
      clusterId: cluster.id,
      heardAt: { gt: new Date(cluster.lastHeardAt.getTime() - INSTANCE_KEPT_MS) },
    },
    orderBy: [{ heardAt: "desc" }, { identity: "asc" }],
  });
  return stored.map(instanceView);
}

async function clusterView(db: Database, cluster: Cluster): Promise<ClusterView> {
  const now = Date.now();
  const [instances, counts, runs, openIntents, waiting, gaps] = await Promise.all([
    instancesOf(db, cluster),
    countCluster(db, { cluster: cluster.id, now }),
    runsOfLastHour(db.pool, cluster.id, now),
    countOpenIntents(db, cluster.id),
    countWaitingAdoptions(db, cluster.id),
    listGaps(db, { cluster: cluster.id, from: now - GAPS_SHOWN_MS, limit: 10 }),
  ]);
  return {
    ...reportsOf(cluster, instances),
    provider: cluster.provider,
    ...{ instances, runs, openIntents, waiting, gaps, ...counts },
  };
}

/** A dry run's heartbeat says nothing of those that act, if there are any. */
function lastHeardAt(instances: readonly ControllerInstanceView[]): number | undefined {
  const acting = instances.filter(({ dryRun }) => !dryRun).map(({ heardAt }) => heardAt);
  return acting.length === 0 ? undefined : Math.max(...acting);
}

/** A leader that died has said so until the end; the newer lease wins. A dry run leads nothing but itself. */
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

/** Of a row that an older version wrote there is nothing. */
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
