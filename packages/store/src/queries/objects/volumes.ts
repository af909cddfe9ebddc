import { volumeKind } from "@cloudwright/core/model/kinds/volume";
import type { Database } from "../../database/database.ts";
import { openIntentsOf } from "../../intents/intents.ts";
import { objectByName } from "../../sql/object-rows.ts";
import { listObjects } from "../../sql/objects.ts";
import type { ListInput } from "../../views/views.ts";
import type { VolumeSort, VolumesFilter, VolumesPage, VolumeView } from "../../views/volumes.ts";

/** PersistentVolumes that the volume controller has looked at, as `listObjects`. */
export function listVolumes(
  db: Database,
  input: ListInput<VolumesFilter, VolumeSort>,
): Promise<VolumesPage> {
  return listObjects(db, volumeKind, input);
}

/** One volume, also when it is gone. Throws OperationError NotFound for one that was never reported. */
export async function volumeDetail(
  db: Database,
  { cluster, name }: { readonly cluster: string; readonly name: string },
): Promise<VolumeView> {
  const [{ row, goneAt }, openIntents] = await Promise.all([
    objectByName(db, volumeKind, { cluster, name, what: `a volume ${name}` }),
    openIntentsOf(db, { cluster, kind: volumeKind.name, name }),
  ]);
  return { row, goneAt, openIntents };
}
