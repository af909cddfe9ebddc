import type { VolumeFacts, VolumeLookup } from "@cloudwright/provider-api";
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "../../kube/client.ts";
import type { ObjectAction, RequestedAction } from "../../model/actions/action.ts";
import type { ReconcileContext } from "../../reconcile/reconciler.ts";
import type { VolumeAnswer, VolumeChange } from "./changes.ts";
import type { VolumeMemory } from "./volume-memory.ts";

/** Everything from which a volume's plan is made. */
export interface VolumeObserved {
  readonly volume: PersistentVolume;
  /** The provider's name. */
  readonly provider: string;
  /** Whether the provider can make disks larger. */
  readonly grows: boolean;
  /** The disk's id; undefined if the volume does not belong to this cloud. */
  readonly disk: string | undefined;
  /** The cloud's last answer about the disk; undefined while none is needed. */
  readonly lookup: VolumeLookup | undefined;
  /** The facts last seen; older than `lookup` if that one failed. */
  readonly facts: VolumeFacts | undefined;
  /** The bound claim. */
  readonly claim: PersistentVolumeClaim | undefined;
  /** The class that the claim names, if it exists. */
  readonly storageClass: StorageClass | undefined;
  readonly requested: RequestedAction<ObjectAction> | undefined;
  /** The cloud's last answer about the disk and the facts last seen, whether needed now or not. */
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
