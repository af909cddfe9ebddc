import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer-port.ts";
import type { Clock } from "../../model/time.ts";
import type { Volumes } from "../../provider/volumes.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { activeHoldOf } from "../hold.ts";
import { uidOf } from "../object-meta.ts";
import { isNewer, type ObjectView } from "../written-objects.ts";
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

/** How old what was seen of a disk may be when it is looked for (DESIGN.md "Freshness"). */
const FRESH_MS = 10_000;

/**
 * The volume, its claim and its class from the caches, and what the cloud says of its disk. The cloud is asked for a disk
 * whose place is not told by a provisioner or that may have to grow; a mere change of the objects is judged by the facts
 * last seen.
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
  const isDue = needsCloud(ports, volume) && !willDo(ports, memory, run);
  if (disk === undefined || !isDue || isLeftAlone(volume, run)) return;
  const maxAgeMs = maxAgeOf(ports, memory, run);
  const lookup = await run.volumes.describe(disk, { maxAgeMs, priority: run.priority });
  memory.lookup = lookup;
  memory.lookedAt = clock.now();
  memory.lookedBy = run.runId;
  if (lookup.kind === "found") memory.facts = lookup.facts;
}

/** Whether what was seen last is enough for this run. */
function willDo(
  { clock, driftPeriodMs }: ObservePorts,
  { lookup, lookedAt, lookedBy }: VolumeMemory,
  { trigger, runId }: RunContext,
): boolean {
  if (lookup === undefined || lookedAt === undefined) return false;
  if (lookedBy === runId) return true;
  const isRecent = clock.now() - lookedAt < driftPeriodMs;
  return trigger.kind === "change" && lookup.kind === "found" && isRecent;
}

/** What is held is not asked for, and nobody waits for the cloud to hold or release. */
function isLeftAlone(volume: PersistentVolume, { asked, nowMs }: RunContext): boolean {
  const { kind } = asked?.wish ?? {};
  if (kind === "hold" || kind === "release") return true;
  return activeHoldOf(volume, nowMs) !== undefined;
}

/**
 * What made the last try fail must be asked for again, but what others have asked for since will do. A period sees what has
 * changed since the one before it.
 */
function maxAgeOf(
  { clock, driftPeriodMs }: ObservePorts,
  { lookedAt }: VolumeMemory,
  { trigger }: RunContext,
): number {
  if (trigger.kind === "intent") return 0;
  if (trigger.kind === "period") return Math.min(FRESH_MS, driftPeriodMs / 2);
  if (trigger.kind !== "retry" || lookedAt === undefined) return FRESH_MS;
  return Math.max(0, Math.min(FRESH_MS, clock.now() - lookedAt - 1));
}
