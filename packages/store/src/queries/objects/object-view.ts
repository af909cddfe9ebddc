import { objectKind } from "@cloudwright/core/model/kinds/kinds";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { volumeKind } from "@cloudwright/core/model/kinds/volume";
import { t } from "@cloudwright/core/model/language/text";
import { type ObjectRef, objectRefOf } from "@cloudwright/core/model/object-ref";
import type { Database } from "../../database/database.ts";
import { openIntentsOf } from "../../intents/intents.ts";
import { objectByName } from "../../sql/objects/object-rows.ts";
import { listObjects } from "../../sql/objects/objects.ts";
import type { ObjectPart, ObjectView } from "../../views/object-view.ts";
import type { ListInput, NodeSort, NodesFilter, NodesPage } from "../../views/views.ts";
import type { VolumeSort, VolumesFilter, VolumesPage, VolumeView } from "../../views/volumes.ts";
import { type PartialInput, partReader } from "../partial/part-reader.ts";

/**
 * Returns one object of any kind, even if it is gone. `name` includes its namespace, if it has one. Throws OperationError NotFound for one
 * that was never reported.
 */
export async function objectView(
  db: Database,
  {
    cluster,
    kind,
    name,
    onUnread,
  }: { readonly cluster: string } & Pick<ObjectRef, "kind" | "name"> & PartialInput,
): Promise<ObjectView> {
  const { part, naming } = partReader<ObjectPart>({ onUnread });
  const [{ row, createdAt, goneAt }, openIntents] = await Promise.all([
    objectByName(db, objectKind(kind), {
      cluster,
      name,
      notFound: () => t`No controller has reported on ${kind} ${name} here.`,
    }),
    part("openIntents", openIntentsOf(db, { cluster, ...objectRefOf({ kind, name }) }), []),
  ]);
  return naming({ row, createdAt, goneAt, openIntents });
}

/** Lists the nodes of a cluster, as `listObjects`. */
export function listNodes(
  db: Database,
  input: ListInput<NodesFilter, NodeSort>,
): Promise<NodesPage> {
  return listObjects(db, nodeKind, input);
}

/** Lists the PersistentVolumes that the volume controller has observed, as `listObjects`. */
export function listVolumes(
  db: Database,
  input: ListInput<VolumesFilter, VolumeSort>,
): Promise<VolumesPage> {
  return listObjects(db, volumeKind, input);
}

/** Returns one volume, even if it is gone. Throws OperationError NotFound for one that was never reported. */
export async function volumeDetail(
  db: Database,
  { cluster, name, onUnread }: { readonly cluster: string; readonly name: string } & PartialInput,
): Promise<VolumeView> {
  const { part, naming } = partReader<ObjectPart>({ onUnread });
  const [{ row, goneAt }, openIntents] = await Promise.all([
    objectByName(db, volumeKind, {
      cluster,
      name,
      notFound: () => t`No controller has reported on a volume ${name} here.`,
    }),
    part("openIntents", openIntentsOf(db, { cluster, kind: volumeKind.name, name }), []),
  ]);
  return naming({ row, goneAt, openIntents });
}
