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
  /** How often all volumes are compared with their disks, milliseconds. */
  readonly period: LiveValue<number>;
  /** The provider's name. */
  readonly provider: string;
}

/** How old the facts of a disk may be that no change and no person asks for (DESIGN.md "Freshness"). */
const FRESH_MS = 10_000;

/**
 * The volume, its claim and its class from the caches, and what the cloud says of its disk. The cloud is asked for a disk
 * whose place no provisioner has written down or that may have to grow. A change of the objects asks for a lookup that begins
 * after it; the echo of our own writes is judged by the facts last seen.
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

/** What is known of the disk: what was seen last, and what this run has made of it since. */
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

/** The claim that is bound to it is the cache's, or the answer to our own last write while that lags behind. */
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

/** Equal as long as nothing has changed that a run depends on: the volume, its claim, and whether its class lets it grow. */
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

/** Whether what was seen last is enough for this run: it has asked itself, or what made it due is the echo of our own write. */
function willDo({ period }: ObservePorts, parts: VolumeParts, run: VolumeContext): boolean {
  if (run.earlier?.isRequested === true) return true;
  const { lookup, answeredAt, leftAt } = run.memory;
  if (lookup?.kind !== "found" || answeredAt === undefined) return false;
  const isEcho = run.trigger.kind === "change" && leftAt === versionsOf(parts);
  return isEcho && run.nowMs - answeredAt < period.value;
}

/** What is held is not asked for. */
function isLeftAlone(volume: PersistentVolume, { requested, nowMs }: VolumeContext): boolean {
  return isWithoutCloud(requested) || activeHoldOf(volume, nowMs) !== undefined;
}

/**
 * A change and a user ask for a lookup that begins after them. What made the last try fail must be asked for again, but what
 * others have asked for since will do. A period sees what has changed since the one before it.
 */
function maxAgeOf({ period }: ObservePorts, run: VolumeContext): number {
  const { trigger, nowMs } = run;
  const { answeredAt } = run.memory;
  if (trigger.kind === "intent" || trigger.kind === "change") return 0;
  if (trigger.kind === "period") return Math.min(FRESH_MS, period.value / 2);
  if (trigger.kind !== "retry" || answeredAt === undefined) return FRESH_MS;
  return Math.max(0, Math.min(FRESH_MS, nowMs - answeredAt - 1));
}
