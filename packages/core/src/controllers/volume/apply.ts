import {
  type KubeClient,
  type Patch,
  PERSISTENT_VOLUME_CLAIMS,
  PERSISTENT_VOLUMES,
  type PersistentVolume,
  type PersistentVolumeClaim,
} from "../../kube/client.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { holdAnnotations, NO_HOLD_ANNOTATIONS } from "../hold/hold.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import {
  type ClaimStatusWrite,
  type DiskGrowth,
  FILE_SYSTEM_PENDING,
  type VolumeChange,
} from "./changes.ts";
import { quantityOf } from "./quantity.ts";

export type VolumeWrite = Exclude<VolumeChange, DiskGrowth | ClaimStatusWrite>;
type Patcher = Pick<KubeClient, "patch">;

/**
 * Makes one write to a volume. Throws KubeError; `Conflict` when anybody has changed the volume since it was
 * observed.
 */
export function applyToVolume(
  client: Patcher,
  { change, volume }: { readonly change: VolumeWrite; readonly volume: PersistentVolume },
  run: RunContext,
): Promise<PersistentVolume> {
  const target = { resource: PERSISTENT_VOLUMES, name: nameOf(volume) };
  return client.patch<PersistentVolume>(target, patchOf(change, volume), run.kube);
}

/**
 * The version makes the API server refuse each patch if the volume has changed meanwhile, for example in its
 * affinity or size.
 */
function patchOf(change: VolumeWrite, { metadata }: PersistentVolume): Patch {
  const { uid, resourceVersion } = metadata ?? {};
  const seen = { uid, resourceVersion };
  switch (change.kind) {
    case "volume.labels.write": {
      const { labels, nodeAffinity } = change.after;
      const spec = nodeAffinity === undefined ? {} : { spec: { nodeAffinity } };
      return { kind: "merge", body: { metadata: { ...seen, labels }, ...spec } };
    }
    case "volume.capacity.write": {
      const { storage } = change.after;
      return { kind: "merge", body: { metadata: seen, spec: { capacity: { storage } } } };
    }
    case "volume.hold": {
      const annotations = holdAnnotations(change.after.hold.until, change.reason);
      return { kind: "merge", body: { metadata: { ...seen, annotations } } };
    }
    case "volume.release":
      return { kind: "merge", body: { metadata: { ...seen, annotations: NO_HOLD_ANNOTATIONS } } };
  }
}

/** Writes the result of a growth to a claim. Throws KubeError. */
export function applyToClaim(
  client: Patcher,
  { change, claim }: { readonly change: ClaimStatusWrite; readonly claim: PersistentVolumeClaim },
  run: RunContext,
): Promise<PersistentVolumeClaim> {
  const { name = "", namespace = "" } = claim.metadata ?? {};
  const target = {
    resource: PERSISTENT_VOLUME_CLAIMS,
    namespace,
    name,
    subresource: "status",
  } as const;
  const body = { metadata: { uid: uidOf(claim) }, status: statusOf(change, claim, run.nowMs) };
  return client.patch<PersistentVolumeClaim>(target, { kind: "strategic", body }, run.kube);
}

function statusOf(
  { after, reason }: ClaimStatusWrite,
  { status }: PersistentVolumeClaim,
  nowMs: number,
): object {
  if (after.capacity !== null) {
    const past = (status?.conditions ?? []).filter(({ type }) => OF_GROWTH.has(type));
    const conditions = past.map(({ type }) => ({ $patch: "delete", type }));
    return {
      capacity: { storage: after.capacity },
      ...(conditions.length === 0 ? {} : { conditions }),
    };
  }
  const size = reason.code === "VolumeTooSmall" ? quantityOf(reason.wantedGiB) : "more";
  const condition = {
    type: FILE_SYSTEM_PENDING,
    status: "True",
    lastTransitionTime: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
    message: `The disk has ${size}. Its file system grows when a pod uses it.`,
  };
  return { conditions: [condition] };
}

const OF_GROWTH: ReadonlySet<string> = new Set([FILE_SYSTEM_PENDING, "Resizing"]);
