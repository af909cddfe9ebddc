import { CONTROLLER_NAMES, inOrder } from "@cloudwright/core/model/controller-names";
import { settingsRecordSchema } from "@cloudwright/core/model/records/settings-record";
import type pg from "pg";
import type { Database } from "../../database/database.ts";
import { readActivity } from "../../sql/runs/activity.ts";
import { readExpected } from "../../sql/states.ts";
import { readJson } from "../../sql/stored-json.ts";
import { NEWEST_LEASE_FIRST } from "../../states/newest-lease-first.ts";
import type { ControllerActivity, ProcessSettings } from "../../views/controllers.ts";

const HOUR_MS = 3_600_000;

/** Returns the last hour of every controller of this release and of any other that runs, even without a run. `now`: the server's time. */
export async function controllerActivity(
  pool: pg.Pool,
  { cluster, now }: { readonly cluster: string; readonly now: number },
): Promise<readonly ControllerActivity[]> {
  const { acting = [], dryRun = [] } = await readExpected(pool, cluster);
  const names = inOrder([...CONTROLLER_NAMES, ...acting, ...dryRun]);
  return readActivity(pool, { cluster, names, now });
}

/** How long an instance is listed after its last heartbeat, measured against the cluster's newest heartbeat. */
const INSTANCE_KEPT_MS = HOUR_MS;

/** Returns the flags of the processes with recent heartbeats: the leader first, a dry run last. */
export async function processSettings(
  { prisma }: Database,
  clusterId: string,
): Promise<readonly ProcessSettings[]> {
  const [cluster, stored] = await Promise.all([
    prisma.cluster.findUnique({ where: { id: clusterId } }),
    prisma.controllerSettings.findMany({ where: { clusterId } }),
  ]);
  if (cluster === null) return [];
  const instances = await prisma.controllerInstance.findMany({
    where: {
      ...{ clusterId, identity: { in: stored.map(({ identity }) => identity) } },
      heardAt: { gt: new Date(cluster.lastHeardAt.getTime() - INSTANCE_KEPT_MS) },
    },
    select: { identity: true, leader: true, dryRun: true },
    orderBy: [{ dryRun: "asc" }, { leader: "desc" }, ...NEWEST_LEASE_FIRST, { identity: "asc" }],
  });
  const { flags } = settingsRecordSchema.def.innerType.shape;
  const settings = new Map(stored.map((row) => [row.identity, row]));
  return instances.flatMap((instance) => {
    const row = settings.get(instance.identity);
    if (row === undefined) return [];
    return [{ ...instance, at: row.at.getTime(), flags: readJson(flags, row.flags, []) }];
  });
}
