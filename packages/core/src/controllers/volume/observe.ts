import type { VolumeLookup, Volumes } from "@cloudwright/provider-api";
import type { VolumeDirectory } from "../../cloud/ports.ts";
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { LiveValue } from "../../model/values/live-value.ts";
import { activeHoldOf, isWithoutCloud } from "../hold/hold.ts";
import { uidOf } from "../objects/object-meta.ts";
import { isNewer, type ObjectView } from "../objects/written-objects.ts";
import { asksForMore } from "./growth.ts";
import type { VolumeContext, VolumeObserved } from "./observed.ts";
import { trustedLabels } from "./topology.ts";
import { boundClaim, claimKeyOf, classNameOf, diskOf, PLACEHOLDER_ID } from "./volume-object.ts";

export interface ObservePorts {
  readonly view: Pick<ObjectView<PersistentVolume>, "get">;
  readonly claims: Pick<Informer<PersistentVolumeClaim>, "get">;
  readonly classes: Pick<Informer<StorageClass>, "get">;
  readonly volumes: Volumes;
  readonly disks: VolumeDirectory;
  /** How often all volumes are compared with their disks, in milliseconds. */
  readonly period: LiveValue<number>;
  /** The provider's name. */
  readonly provider: string;
}

/** How old a disk's facts may be if no change and no user asks for new ones (DESIGN.md "Freshness"). */
const FRESH_MS = 10_000;

/**
 * Reads the volume, its claim and its class from the caches, and what the cloud says of its disk. The cloud is asked about a
 * disk whose location no provisioner has recorded or that may have to grow. A change of the objects needs a lookup that
 * starts after it; the echo of our own writes is judged by the facts last seen.
 */
export async function observeVolume(
  ports: ObservePorts,
  key: string,
  run: VolumeContext,
): Promise<VolumeObserved | undefined> {
  const before = ports.view.get(key);
  if (before === undefined) return undefined;
  const answer = await lookUp(ports, before, run);
  const volume = ports.view.get(key);
  if (volume === undefined || uidOf(volume) !== uidOf(before)) return undefined;
  const parts = partsOf(ports, volume, writtenClaimOf(run));
  const known = knownAfter(run, answer);
  const isNeeded = needsCloud(ports, parts);
  return {
    ...parts,
    provider: ports.provider,
    grows: ports.volumes.grow !== undefined,
    disk: diskOf(volume, ports.volumes),
    lookup: isNeeded ? known.lookup : undefined,
    facts: isNeeded ? known.facts : undefined,
    known,
    isRequested: answer !== undefined || run.earlier?.isRequested === true,
    requested: run.requested,
  };
}

/** Returns what is known of the disk: what was last seen, and what this run has made of it since. */
function knownAfter(run: VolumeContext, answer: VolumeLookup | undefined): VolumeObserved["known"] {
  const before = run.earlier?.known ?? run.memory;
  const grown = run.written.map((one) => one.answer).findLast((one) => one.kind === "disk");
  const seen = answer?.kind === "found" ? answer.facts : before.facts;
  return { lookup: answer ?? before.lookup, facts: grown?.facts ?? seen };
}

function writtenClaimOf({ written, memory }: VolumeContext): PersistentVolumeClaim | undefined {
  const answer = written.map((one) => one.answer).findLast((one) => one.kind === "claim");
  return answer?.claim ?? memory.writtenClaim;
}

/** What a run depends on. */
export type VolumeParts = Pick<VolumeObserved, "volume" | "claim" | "storageClass">;

/**
 * Returns the parts, with the bound claim from the cache or, while that lags behind, from the response to our own
 * last write.
 */
export function partsOf(
  { claims, classes }: Pick<ObservePorts, "claims" | "classes">,
  volume: PersistentVolume,
  writtenClaim: PersistentVolumeClaim | undefined,
): VolumeParts {
  const cached = claims.get(claimKeyOf(volume) ?? "");
  const isOurs = writtenClaim !== undefined && isNewer(writtenClaim, cached);
  const claim = boundClaim(volume, isOurs ? writtenClaim : cached);
  const storageClass = claim === undefined ? undefined : classes.get(classNameOf(claim));
  return { volume, claim, storageClass };
}

/**
 * Returns equal texts as long as nothing has changed that a run depends on: the volume, its claim, and whether its class
 * allows it to grow.
 */
export function versionsOf({ volume, claim, storageClass }: VolumeParts): string {
  const versions = [volume, claim].map((object) => object?.metadata?.resourceVersion ?? "");
  return [...versions, storageClass?.allowVolumeExpansion].join(" ");
}

function needsCloud(ports: ObservePorts, { volume, claim }: VolumeParts): boolean {
  const disk = diskOf(volume, ports.volumes);
  if (disk === undefined || disk === PLACEHOLDER_ID) return false;
  return trustedLabels(volume) === undefined || (claim !== undefined && asksForMore(claim));
}

async function lookUp(
  ports: ObservePorts,
  volume: PersistentVolume,
  run: VolumeContext,
): Promise<VolumeLookup | undefined> {
  const parts = partsOf(ports, volume, writtenClaimOf(run));
  const disk = diskOf(volume, ports.volumes);
  const isDue = needsCloud(ports, parts) && !willDo(ports, parts, run);
  if (disk === undefined || !isDue || isLeftAlone(volume, run)) return undefined;
  return run
    .cloud(ports.disks)
    .describe(disk, { maxAgeMs: maxAgeOf(ports, run), priority: run.priority });
}

/**
 * Reports whether what was last seen is enough for this run: it has already asked, or its trigger is the echo of our own write.
 */
function willDo({ period }: ObservePorts, parts: VolumeParts, run: VolumeContext): boolean {
  if (run.earlier?.isRequested === true) return true;
  const { lookup, answeredAt, leftAt } = run.memory;
  if (lookup?.kind !== "found" || answeredAt === undefined) return false;
  const isEcho = run.trigger.kind === "change" && leftAt === versionsOf(parts);
  return isEcho && run.nowMs - answeredAt < period.value;
}

/** A held disk is not looked up. */
function isLeftAlone(volume: PersistentVolume, { requested, nowMs }: VolumeContext): boolean {
  return isWithoutCloud(requested) || activeHoldOf(volume, nowMs) !== undefined;
}

/**
 * A change and a user's action need a lookup that starts after them. An answer that made the last attempt fail must not be
 * reused, but an answer to others since then may be. A periodic check sees what has changed since the one before.
 */
function maxAgeOf({ period }: ObservePorts, run: VolumeContext): number {
  const { trigger, nowMs } = run;
  const { answeredAt } = run.memory;
  if (trigger.kind === "intent" || trigger.kind === "change") return 0;
  if (trigger.kind === "period") return Math.min(FRESH_MS, period.value / 2);
  if (trigger.kind !== "retry" || answeredAt === undefined) return FRESH_MS;
  return Math.max(0, Math.min(FRESH_MS, nowMs - answeredAt - 1));
}
