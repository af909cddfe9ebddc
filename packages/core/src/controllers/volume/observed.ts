import type { VolumeFacts, VolumeLookup } from "@cloudwright/provider-api";
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "../../kube/client.ts";
import type { ObjectAction, RequestedAction } from "../../model/actions/action.ts";
import type { ReconcileContext } from "../../reconcile/reconciler.ts";
import type { VolumeAnswer, VolumeChange } from "./changes.ts";
import type { VolumeMemory } from "./volume-memory.ts";

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
  readonly requested: RequestedAction<ObjectAction> | undefined;
  /** What the cloud said last of the disk and the facts last seen, whether they are needed now or not. */
  readonly known: Pick<VolumeMemory, "lookup" | "facts">;
  /** Whether the cloud was asked in this run. */
  readonly isRequested: boolean;
}

/** What a run of the volume loop offers. */
export type VolumeContext = ReconcileContext<
  VolumeObserved,
  VolumeChange,
  VolumeMemory,
  VolumeAnswer
>;
