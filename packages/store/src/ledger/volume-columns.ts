import type { KnownObject } from "@cloudwright/core/model/kinds/known-object";
import { volumeDetailSchema } from "@cloudwright/core/model/volume-record";
import { readJson } from "../queries/stored-json.ts";

/** What the list of volumes is filtered and sorted by, out of the detail of a PersistentVolume. */
export function volumeColumns({ name, detail }: KnownObject): object {
  const told = readJson(volumeDetailSchema, detail, undefined);
  const { zone, region } = { ...told?.labels.has, ...told?.labels.wanted };
  return {
    zone: zone ?? "",
    instance_type: told?.storageClass ?? "",
    provider_id: told?.volumeId ?? null,
    changed_at: told?.changedAt ?? null,
    search_text: [name, told?.volumeId, told?.claim, told?.storageClass, zone, region]
      .filter((word) => word !== undefined)
      .join(" ")
      .toLowerCase(),
  };
}
