import type { Volumes } from "@cloudwright/provider-api";
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "../../kube/client.ts";
import type { Informer, InformerEvent } from "../../kube/informer/informer-port.ts";
import type { Trigger } from "../../model/run.ts";
import type { Clock } from "../../model/time.ts";
import type { LiveValue } from "../../model/values/live-value.ts";
import type { WorkQueue } from "../../queue/port.ts";
import { everyPeriod } from "../../reconcile/every-period.ts";
import { annotationsOf, labelsOf, nameOf, uidOf } from "../objects/object-meta.ts";
import { classNameOf, diskOf } from "./volume-object.ts";

export interface VolumeControllerOptions {
  /** The informer of PersistentVolumes. */
  readonly informer: Informer<PersistentVolume>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly classes: Informer<StorageClass>;
  readonly queue: Pick<WorkQueue<Trigger>, "add">;
  readonly volumes: Pick<Volumes, "identify">;
  readonly clock: Clock;
  /** How often all volumes are compared with their disks, in milliseconds. */
  readonly period: LiveValue<number>;
}

/**
 * Feeds the volume loop's queue: every volume of this cloud at the start, each that changes in a way that matters, those whose
 * claim or class changes so, and all once a drift period. Returns a function that stops this.
 */
export function startVolumeController(options: VolumeControllerOptions): () => void {
  const { informer, claims, classes, queue } = options;
  let stopComparing = () => {};
  let isStopped = false;
  const unsubscribe = [
    informer.subscribe((event) => heedVolume(options, event)),
    claims.subscribe((event) => heedClaim(options, event)),
    classes.subscribe((event) => heedClass(options, event)),
  ];

  function compareAll(): void {
    for (const key of concerned(options)) queue.add(key, { kind: "period" }, "background");
  }

  void Promise.all([informer.synced, claims.synced, classes.synced]).then(() => {
    if (isStopped) return;
    for (const key of concerned(options)) queue.add(key, { kind: "start" }, "background");
    stopComparing = everyPeriod(options, compareAll);
  });

  return () => {
    isStopped = true;
    for (const end of unsubscribe) end();
    stopComparing();
  };
}

function concerned(options: VolumeControllerOptions): readonly string[] {
  return options.informer
    .list()
    .filter((volume) => isOurs(options, volume))
    .map(nameOf);
}

function isOurs({ volumes }: VolumeControllerOptions, volume: PersistentVolume): boolean {
  return diskOf(volume, volumes) !== undefined;
}

function heedVolume(
  options: VolumeControllerOptions,
  event: InformerEvent<PersistentVolume>,
): void {
  const { queue } = options;
  const { object } = event;
  if (!isOurs(options, object)) return;
  const key = nameOf(object);
  if (event.kind === "deleted") {
    queue.add(key, { kind: "change", what: "deleted" }, "change");
  } else if (event.kind === "updated") {
    const parts = changedParts(event.old, object);
    if (parts.length > 0) queue.add(key, { kind: "change", what: parts.join(", ") }, "change");
  } else if (!event.initial) {
    queue.add(key, { kind: "change", what: "created" }, "change");
  }
}

function changedParts(old: PersistentVolume, now: PersistentVolume): readonly string[] {
  if (uidOf(old) !== uidOf(now)) return ["made anew"];
  return Object.entries(PARTS)
    .filter(([, part]) => JSON.stringify(part(old)) !== JSON.stringify(part(now)))
    .map(([name]) => name);
}

const PARTS: Readonly<Record<string, (volume: PersistentVolume) => unknown>> = {
  labels: labelsOf,
  annotations: annotationsOf,
  affinity: ({ spec }) => spec?.nodeAffinity,
  capacity: ({ spec }) => spec?.capacity,
  claim: ({ spec }) => spec?.claimRef?.uid,
};

function heedClaim(
  options: VolumeControllerOptions,
  event: InformerEvent<PersistentVolumeClaim>,
): void {
  const { queue, informer } = options;
  const volume = informer.get(event.object.spec?.volumeName ?? "");
  if (volume === undefined || !isOurs(options, volume)) return;
  if (event.kind === "added" && event.initial) return;
  if (event.kind === "updated" && growthText(event.old) === growthText(event.object)) return;
  queue.add(nameOf(volume), { kind: "change", what: "claim" }, "change");
}

/** Returns everything about a claim that concerns growth. */
function growthText(claim: PersistentVolumeClaim): string {
  const { metadata, spec, status } = claim;
  const { phase, capacity, conditions = [] } = status ?? {};
  const held = conditions.map((condition) => `${condition.type} ${condition.status}`);
  return JSON.stringify([
    metadata?.uid,
    spec?.volumeName,
    classNameOf(claim),
    spec?.resources?.requests,
    phase,
    capacity,
    held,
  ]);
}

/** When a class starts to allow growth, the volumes that wait for it become due. */
function heedClass(options: VolumeControllerOptions, event: InformerEvent<StorageClass>): void {
  if (!changesGrowth(event)) return;
  const { claims, queue, informer } = options;
  const name = nameOf(event.object);
  const claimed = claims.list().filter((claim) => classNameOf(claim) === name);
  for (const { spec } of claimed) {
    const volume = informer.get(spec?.volumeName ?? "");
    if (volume === undefined || !isOurs(options, volume)) continue;
    queue.add(nameOf(volume), { kind: "change", what: "storage class" }, "change");
  }
}

function changesGrowth(event: InformerEvent<StorageClass>): boolean {
  if (event.kind === "added") return !event.initial;
  if (event.kind === "deleted") return true;
  return event.old.allowVolumeExpansion !== event.object.allowVolumeExpansion;
}
