import { volumeKind } from "@cloudwright/core/model/kinds/volume";
import { type ObjectRef, objectRefOf } from "@cloudwright/core/model/object-ref";
import type { EventWatch } from "@cloudwright/core/model/records/object-event";
import { type Heartbeat, heartbeatSchema } from "@cloudwright/core/model/records/record";
import { volumeDetailSchema } from "@cloudwright/core/model/records/volume-record";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { listPages, readList } from "../../sql/lists/list.ts";
import { eventsOf } from "../../sql/objects/object-events.ts";
import { readJson } from "../../sql/stored-json.ts";
import { NEWEST_LEASE_FIRST } from "../../states/newest-lease-first.ts";
import type {
  ObjectEventRow,
  ObjectEventSort,
  ObjectEventsFilter,
  ObjectEventsPage,
} from "../../views/object-events.ts";
import type { ListInput } from "../../views/views.ts";

type EventsInput = ListInput<ObjectEventsFilter, ObjectEventSort>;

/**
 * Lists the Kubernetes Events about an object, ours and those of other components. Those of a volume include its claim's. Throws
 * OperationError Invalid for a bad limit or cursor.
 */
export async function listObjectEvents(
  db: Database,
  input: EventsInput,
): Promise<ObjectEventsPage> {
  const [objects, watch] = await Promise.all([objectsOf(db, input), watchOf(db, input.cluster)]);
  return { ...(await readList(db.pool, eventsOf(objects), input)), watch };
}

/** Yields all of them in pages that are read on demand. */
export async function* objectEventPages(
  db: Database,
  input: Omit<EventsInput, "cursor" | "limit">,
): AsyncGenerator<readonly ObjectEventRow[]> {
  yield* listPages(db.pool, eventsOf(await objectsOf(db, input)), input);
}

async function objectsOf(
  { prisma }: Database,
  { cluster, filter: { kind, name } }: Pick<EventsInput, "cluster" | "filter">,
): Promise<readonly ObjectRef[]> {
  const object = objectRefOf({ kind, name });
  if (kind !== volumeKind.name) return [object];
  const volume = await prisma.volumeState.findFirst({
    where: { clusterId: cluster, kind, name },
    select: { detail: true },
  });
  const claim = readJson(volumeDetailSchema, volume?.detail, undefined)?.claim;
  if (claim === undefined) return [object];
  return [object, objectRefOf({ kind: "PersistentVolumeClaim", name: claim })];
}

async function watchOf({ prisma }: Database, cluster: string): Promise<EventWatch | undefined> {
  const leader = await prisma.controllerInstance.findFirst({
    where: { clusterId: cluster, leader: true },
    orderBy: [{ dryRun: "asc" }, ...NEWEST_LEASE_FIRST],
    select: { process: true },
  });
  return readJson(OF_PROCESS, leader?.process, NOTHING).eventWatch;
}

const OF_PROCESS = z.object(heartbeatSchema.def.innerType.shape).pick({ eventWatch: true });
const NOTHING: Pick<Heartbeat, "eventWatch"> = {};
