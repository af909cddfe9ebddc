import type { VolumeFacts, VolumeLookup } from "@cloudwright/provider-api";
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "../../kube/client.ts";
import type { Asked, ObjectWish } from "../../model/wish.ts";

/** Everything that a plan for a volume is made of. */
export interface VolumeObserved {
  readonly volume: PersistentVolume;
  /** The provider's name. */
  readonly provider: string;
  /** Whether the provider can make disks larger. */
  readonly grows: boolean;
  /** The disk's id; undefined when the volume is not of this cloud. */
  readonly disk: string | undefined;
  /** What the cloud said last of the disk; undefined while it need not be asked. */
  readonly lookup: VolumeLookup | undefined;
  /** The facts last seen; older than `lookup` when that one failed. */
  readonly facts: VolumeFacts | undefined;
  /** The claim that is bound to it. */
  readonly claim: PersistentVolumeClaim | undefined;
  /** The class that the claim names, when there is one of that name. */
  readonly storageClass: StorageClass | undefined;
  readonly asked: Asked<ObjectWish> | undefined;
}
