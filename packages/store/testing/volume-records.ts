import type { ObjectState } from "@cloudwright/core/model/records/node-record";
import type { VolumeDetail } from "@cloudwright/core/model/records/volume-record";
import { objectState } from "./records.ts";

/** Returns the volume controller's state of a PersistentVolume whose labels are in sync. */
export function volumeState(
  name: string,
  over: Partial<ObjectState> & { readonly reported?: Partial<VolumeDetail> } = {},
): ObjectState {
  const { reported, ...rest } = over;
  const place = { zone: "zone-a", region: "region-1" };
  return objectState({
    controller: "volume-label-controller",
    name,
    reason: { code: "VolumeInStep", id: `vol-${name}` },
    detail: {
      kind: "volume",
      volumeId: `vol-${name}`,
      storageClass: "fast",
      claim: "shop/data",
      labels: { wanted: place, has: place },
      affinity: "set",
      sizeGiB: { cloud: 10, volume: 10, claimed: 10 },
      ...reported,
    } satisfies VolumeDetail,
    ...rest,
  });
}
