import type { VolumeFacts } from "@cloudwright/provider-api";
import type { PersistentVolume, PersistentVolumeClaim } from "../../kube/client.ts";
import type { Change } from "../../model/plan.ts";
import type { HoldWrite, Release } from "../hold/hold-changes.ts";
import type { Affinity } from "./affinity.ts";

/** The writes of the volume loop, each with the fields that it touches before and after. */
export type VolumeChange =
  | TopologyWrite
  | DiskGrowth
  | CapacityWrite
  | ClaimStatusWrite
  | HoldWrite<"volume.hold">
  | Release<"volume.release">;

/** Labels and affinity, always in one patch: an affinity can be set only once. */
export type TopologyWrite = Change & {
  readonly kind: "volume.labels.write";
  readonly after: {
    readonly labels: Readonly<Record<string, string>>;
    /** Only if the volume had none. */
    readonly nodeAffinity?: Affinity;
  };
};

/** The only write to the cloud. */
export type DiskGrowth = Change & {
  readonly kind: "volume.grow";
  readonly after: { readonly disk: string; readonly sizeGiB: number };
};

export type CapacityWrite = Change & {
  readonly kind: "volume.capacity.write";
  readonly after: { readonly storage: string };
};

export type ClaimStatusWrite = Change & {
  readonly kind: "claim.status.write";
  /**
   * A block device has its new size at once. For a file system the kubelet grows it, but only while the claim's capacity
   * is less than the volume's: until then the condition says that this is pending.
   */
  readonly after: {
    /** `namespace/name` */
    readonly claim: string;
    readonly capacity: string | null;
    readonly condition: typeof FILE_SYSTEM_PENDING | null;
  };
};

/** The in-tree controller's condition for claims whose file system still has to grow. */
export const FILE_SYSTEM_PENDING = "FileSystemResizePending";

/** Reports whether a change is part of expanding a claim's volume. */
export function isOfGrowth(change: VolumeChange): boolean {
  return GROWTH.has(change.kind);
}

const GROWTH: ReadonlySet<VolumeChange["kind"]> = new Set([
  "volume.grow",
  "volume.capacity.write",
  "claim.status.write",
]);

/** The result of a write. */
export type VolumeAnswer =
  | { readonly kind: "volume"; readonly volume: PersistentVolume }
  | { readonly kind: "claim"; readonly claim: PersistentVolumeClaim | undefined }
  | { readonly kind: "disk"; readonly facts: VolumeFacts };
