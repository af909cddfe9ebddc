import type { PersistentVolume, PersistentVolumeClaim } from "../../kube/client.ts";
import type { EventTarget } from "../../kube/events/event-object.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { NodeEvent as EventWords } from "../objects/node-events.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import type { VolumeChange } from "./changes.ts";

/** As the in-tree controller names it (spec/50 §8). */
export function resizeFailed(why: string): EventWords {
  return { type: "Warning", reason: "VolumeResizeFailed", message: why };
}

/** As the in-tree controller names it (spec/50 §8). */
export function resizeSuccessful(volume: PersistentVolume, sizeGiB: number): EventWords {
  return {
    type: "Normal",
    reason: "VolumeResizeSuccessful",
    message: `The disk of volume ${nameOf(volume)} has ${sizeGiB} GiB.`,
  };
}

/** What is reported of a user's action: who did it, and why. */
export function eventOfWish(change: VolumeChange): EventWords | undefined {
  if (change.kind === "volume.release") {
    return { type: "Normal", reason: "Released", message: eventMessage(change.reason) };
  }
  if (change.kind !== "volume.hold") return undefined;
  const { by, why } = change.reason;
  const { until: untilMs } = change.after.hold;
  const message = eventMessage({ code: "HeldByAnnotation", by, why, untilMs });
  return { type: "Normal", reason: "Held", message };
}

export function volumeTarget(volume: PersistentVolume): EventTarget {
  const uid = uidOf(volume);
  return { apiVersion: "v1", kind: "PersistentVolume", name: nameOf(volume), uid };
}

export function claimTarget(claim: PersistentVolumeClaim): EventTarget {
  const { namespace = "" } = claim.metadata ?? {};
  const uid = uidOf(claim);
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", name: nameOf(claim), namespace, uid };
}
