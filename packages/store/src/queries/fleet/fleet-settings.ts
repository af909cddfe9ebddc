import type { Database } from "../../database/database.ts";
import type { Cluster } from "../../generated/client.ts";
import type { ClusterAccess } from "../../users/cluster-access.ts";
import type { ProcessSettings } from "../../views/controllers.ts";
import type { ClusterProcess, FleetSettings } from "../../views/fleet.ts";
import { processSettings } from "../overview/controllers.ts";
import { compareFleetFlags } from "./compare-flags.ts";
import { visibleClusters } from "./visible-clusters.ts";

/** How long an instance counts after its last heartbeat, measured against the cluster's newest heartbeat. */
const INSTANCE_KEPT_MS = 3_600_000;

/** Returns the versions and flags of the visible clusters, and where they differ. */
export async function fleetSettings(db: Database, access: ClusterAccess): Promise<FleetSettings> {
  const clusters = await visibleClusters(db, access);
  const read = await Promise.all(clusters.map((cluster) => readCluster(db, cluster)));
  const flags = read.flatMap(({ view, flags: own }) =>
    own === undefined ? [] : [{ cluster: view.cluster, flags: own.flags }],
  );
  return { clusters: read.map(({ view }) => view), ...compareFleetFlags(flags) };
}

interface ReadCluster {
  readonly view: ClusterProcess;
  /** The settings of the process whose flags are compared. */
  readonly flags: ProcessSettings | undefined;
}

async function readCluster(
  db: Database,
  { id, name, provider, lastHeardAt }: Cluster,
): Promise<ReadCluster> {
  const [settings, instances] = await Promise.all([
    processSettings(db, id),
    db.prisma.controllerInstance.findMany({
      where: {
        clusterId: id,
        heardAt: { gt: new Date(lastHeardAt.getTime() - INSTANCE_KEPT_MS) },
      },
      select: { version: true, dryRun: true },
      orderBy: [{ leader: "desc" }, { heardAt: "desc" }, { identity: "asc" }],
    }),
  ]);
  const acting = instances.filter(({ dryRun }) => !dryRun);
  const counted = acting.length === 0 ? instances : acting;
  const [flags] = settings;
  return {
    flags,
    view: {
      ...{ cluster: id, name, provider },
      versions: [...new Set(counted.map(({ version }) => version))],
      process: flags === undefined ? undefined : { identity: flags.identity, leader: flags.leader },
    },
  };
}
