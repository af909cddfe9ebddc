import type { VolumeFacts } from "@cloudwright/provider-api";
import type { PersistentVolume, PersistentVolumeClaim } from "../../kube/client.ts";
import type { Change } from "../../model/plan.ts";
import type { Reason, ReasonOf } from "../../model/reason.ts";
import { type HoldPart, holdOf, holdPart } from "../hold/hold.ts";
import type { Affinity } from "./affinity.ts";
import { refOf } from "./volume-object.ts";

/** The writes of the volume loop, each with the fields that it touches before and after. */
export type VolumeChange =
  | TopologyWrite
  | DiskGrowth
  | CapacityWrite
  | ClaimStatusWrite
  | HoldWrite
  | Release;

/** Labels and affinity, always in one patch: an affinity can be added once and never again. */
export type TopologyWrite = Change & {
  readonly kind: "volume.labels.write";
  readonly after: {
    readonly labels: Readonly<Record<string, string>>;
    /** Only where the volume had none. */
    readonly nodeAffinity?: Affinity;
  };
};

/** The one write to the cloud. */
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
   * A block device has its new size at once. A file system gets it from the kubelet, which grows it only while the claim's
   * capacity is less than the volume's: then the condition says that it is to.
   */
  readonly after: {
    /** `namespace/name` */
    readonly claim: string;
    readonly capacity: string | null;
    readonly condition: typeof FILE_SYSTEM_PENDING | null;
  };
};

/** The in-tree controller's condition of claims whose file system is still to grow. */
export const FILE_SYSTEM_PENDING = "FileSystemResizePending";

/** Who holds it and why is in the reason, so that it does not count in the plan's hash. */
export type HoldWrite = Change & {
  readonly kind: "volume.hold";
  readonly before: HoldPart;
  readonly after: { readonly hold: { readonly until: number } };
  readonly reason: ReasonOf<"PersonAsked">;
};

export type Release = Change & {
  readonly kind: "volume.release";
  readonly before: HoldPart;
  readonly after: { readonly hold: null };
};

export function holdWrite(
  volume: PersistentVolume,
  until: number,
  reason: ReasonOf<"PersonAsked">,
): HoldWrite {
  return {
    kind: "volume.hold",
    system: "cluster",
    target: refOf(volume),
    before: holdPart(holdOf(volume)),
    after: { hold: { until } },
    reason,
  };
}

export function release(volume: PersistentVolume, reason: Reason): Release {
  return {
    kind: "volume.release",
    system: "cluster",
    target: refOf(volume),
    before: holdPart(holdOf(volume)),
    after: { hold: null },
    reason,
  };
}

/** Whether a change is part of expanding a claim's volume. */
export function isOfGrowth(change: VolumeChange): boolean {
  return GROWTH.has(change.kind);
}

const GROWTH: ReadonlySet<VolumeChange["kind"]> = new Set([
  "volume.grow",
  "volume.capacity.write",
  "claim.status.write",
]);

/** What a write answers with: what came of it. */
export type VolumeAnswer =
  | { readonly kind: "volume"; readonly volume: PersistentVolume }
  | { readonly kind: "claim"; readonly claim: PersistentVolumeClaim | undefined }
  | { readonly kind: "disk"; readonly facts: VolumeFacts };
