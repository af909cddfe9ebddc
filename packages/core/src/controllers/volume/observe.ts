import type { Volumes } from "@cloudwright/provider-api";
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { Clock } from "../../model/time.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { activeHoldOf } from "../hold/hold.ts";
import { uidOf } from "../objects/object-meta.ts";
import { isNewer, type ObjectView } from "../objects/written-objects.ts";
import { asksForMore } from "./growth.ts";
import type { VolumeObserved } from "./observed.ts";
import { trustedLabels } from "./topology.ts";
import type { VolumeMemories, VolumeMemory } from "./volume-memory.ts";
import { boundClaim, claimKeyOf, classNameOf, diskOf, PLACEHOLDER_ID } from "./volume-object.ts";

export interface ObservePorts {
  readonly view: ObjectView<PersistentVolume>;
  readonly claims: Pick<Informer<PersistentVolumeClaim>, "get">;
  readonly classes: Pick<Informer<StorageClass>, "get">;
  readonly memories: VolumeMemories;
  readonly volumes: Volumes;
  readonly clock: Clock;
  /** How often all volumes are compared with their disks, milliseconds. */
  readonly driftPeriodMs: number;
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
  run: RunContext,
): Promise<VolumeObserved | undefined> {
  const before = ports.view.get(key);
  if (before === undefined) return undefined;
  await lookUp(ports, before, run);
  const volume = ports.view.get(key);
  if (volume === undefined || uidOf(volume) !== uidOf(before)) {
    ports.memories.forget(uidOf(before));
    return volume === undefined ? undefined : observeVolume(ports, key, run);
  }
  const { lookup, facts } = ports.memories.of(uidOf(volume));
  const claim = claimOf(ports, volume);
  const isAsked = needsCloud(ports, volume);
  return {
    volume,
    provider: ports.provider,
    grows: ports.volumes.grow !== undefined,
    disk: diskOf(volume, ports.volumes),
    lookup: isAsked ? lookup : undefined,
    facts: isAsked ? facts : undefined,
    claim,
    storageClass: claim === undefined ? undefined : ports.classes.get(classNameOf(claim)),
    asked: run.asked,
  };
}

/** The claim that is bound to a volume: the cache's, or the answer to our own last write while that lags behind. */
export function claimOf(
  { claims, memories }: Pick<ObservePorts, "claims" | "memories">,
  volume: PersistentVolume,
): PersistentVolumeClaim | undefined {
  const cached = claims.get(claimKeyOf(volume) ?? "");
  const { writtenClaim } = memories.of(uidOf(volume));
  const isOurs = writtenClaim !== undefined && isNewer(writtenClaim, cached);
  return boundClaim(volume, isOurs ? writtenClaim : cached);
}

function needsCloud(ports: ObservePorts, volume: PersistentVolume): boolean {
  const disk = diskOf(volume, ports.volumes);
  if (disk === undefined || disk === PLACEHOLDER_ID) return false;
  const claim = claimOf(ports, volume);
  return trustedLabels(volume) === undefined || (claim !== undefined && asksForMore(claim));
}

async function lookUp(
  ports: ObservePorts,
  volume: PersistentVolume,
  run: RunContext,
): Promise<void> {
  const { memories, clock, volumes } = ports;
  const memory = memories.of(uidOf(volume));
  const disk = diskOf(volume, volumes);
  const isDue = needsCloud(ports, volume) && !willDo(ports, volume, run);
  if (disk === undefined || !isDue || isLeftAlone(volume, run)) return;
  const maxAgeMs = maxAgeOf(ports, memory, run);
  const lookup = await run.volumes.describe(disk, { maxAgeMs, priority: run.priority });
  memory.lookup = lookup;
  memory.lookedAt = clock.now();
  memory.lookedBy = run.runId;
  if (lookup.kind === "found") memory.facts = lookup.facts;
}

/** Whether what was seen last is enough for this run: it has asked itself, or what made it due is the echo of our own write. */
function willDo(ports: ObservePorts, volume: PersistentVolume, run: RunContext): boolean {
  const { memories, clock, driftPeriodMs } = ports;
  const { lookup, lookedAt, lookedBy, leftAt } = memories.of(uidOf(volume));
  if (lookup === undefined || lookedAt === undefined) return false;
  if (lookedBy === run.runId) return true;
  const isEcho = run.trigger.kind === "change" && leftAt === versionsOf(ports, volume);
  return isEcho && lookup.kind === "found" && clock.now() - lookedAt < driftPeriodMs;
}

/** Equal as long as nothing has changed that a run depends on: the volume, its claim, and whether its class lets it grow. */
export function versionsOf(
  ports: Pick<ObservePorts, "claims" | "classes" | "memories">,
  volume: PersistentVolume,
): string {
  const claim = claimOf(ports, volume);
  const storageClass = claim === undefined ? undefined : ports.classes.get(classNameOf(claim));
  const versions = [volume, claim].map((object) => object?.metadata?.resourceVersion ?? "");
  return [...versions, storageClass?.allowVolumeExpansion].join(" ");
}

/** What is held is not asked for, and nobody waits for the cloud to hold or release. */
function isLeftAlone(volume: PersistentVolume, { asked, nowMs }: RunContext): boolean {
  const { kind } = asked?.wish ?? {};
  if (kind === "hold" || kind === "release") return true;
  return activeHoldOf(volume, nowMs) !== undefined;
}

/**
 * A change and a person ask for a lookup that begins after them. What made the last try fail must be asked for again, but what
 * others have asked for since will do. A period sees what has changed since the one before it.
 */
function maxAgeOf(
  { clock, driftPeriodMs }: ObservePorts,
  { lookedAt }: VolumeMemory,
  { trigger }: RunContext,
): number {
  if (trigger.kind === "intent" || trigger.kind === "change") return 0;
  if (trigger.kind === "period") return Math.min(FRESH_MS, driftPeriodMs / 2);
  if (trigger.kind !== "retry" || lookedAt === undefined) return FRESH_MS;
  return Math.max(0, Math.min(FRESH_MS, clock.now() - lookedAt - 1));
}
