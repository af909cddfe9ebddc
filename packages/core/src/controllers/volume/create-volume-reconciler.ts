import type { Volumes } from "@cloudwright/provider-api";
import type {
  KubeClient,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
} from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { Clock } from "../../model/time.ts";
import { reasonOfError } from "../../reconcile/failure.ts";
import type { ApplyResult, OldReconciler } from "../../reconcile/old-reconciler.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import type { Events } from "../objects/node-events.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import { createObjectView, type ObjectView } from "../objects/written-objects.ts";
import { applyToClaim, applyToVolume } from "./apply.ts";
import { isOfGrowth, type VolumeChange } from "./changes.ts";
import { type ObservePorts, observeVolume, versionsOf } from "./observe.ts";
import type { VolumeObserved } from "./observed.ts";
import { planVolume } from "./plan.ts";
import { projectVolume } from "./project.ts";
import { gibibytesOf } from "./quantity.ts";
import {
  claimTarget,
  eventOfWish,
  resizeFailed,
  resizeSuccessful,
  volumeTarget,
} from "./volume-events.ts";
import { VolumeMemories } from "./volume-memory.ts";
import { refOf } from "./volume-object.ts";

export interface VolumeReconcilerOptions {
  readonly client: Pick<KubeClient, "patch">;
  /** The PersistentVolumes. */
  readonly informer: Pick<Informer<PersistentVolume>, "get">;
  readonly claims: Pick<Informer<PersistentVolumeClaim>, "get">;
  readonly classes: Pick<Informer<StorageClass>, "get">;
  readonly events: Events;
  readonly clock: Clock;
  readonly volumes: Volumes;
  /** How often all volumes are compared with their disks, milliseconds. */
  readonly driftPeriodMs: number;
  /** The provider's name. */
  readonly provider: string;
}

export interface VolumeReconciler extends OldReconciler<VolumeObserved, VolumeChange> {
  /** Drops what is remembered of a volume that is gone. */
  forget(uid: string): void;
}

/** Lets volumes say where their disks are, and grows those whose claims ask for more (spec/50). */
export function createVolumeReconciler(options: VolumeReconcilerOptions): VolumeReconciler {
  const memories = new VolumeMemories();
  const view = createObjectView<PersistentVolume>({
    informer: options.informer,
    keyOf: nameOf,
    refOf,
    unknown: (name) => ({ kind: "PersistentVolume", name }),
  });
  const ports: Ports = { ...options, view, memories };

  return {
    controller: "volume-label-controller",
    object: view.object,
    isSettled: (key, trigger) => trigger.kind === "change" && isSettled(ports, key),
    observe: async (key, run) => {
      const observed = await observeVolume(ports, key, run);
      if (observed === undefined) memories.forget(view.object(key).uid ?? "");
      return observed;
    },
    plan: planVolume,
    apply: async (change, observed, run) => {
      try {
        await applyChange(ports, { change, observed }, run);
      } catch (error) {
        if (isOfGrowth(change)) tellFailure(ports, observed, reasonOfError(error));
        throw error;
      }
    },
    project: (observed, plan, result) => {
      conclude(ports, { observed, plan, result });
      const memory = memories.of(uidOf(observed.volume));
      const volume = newest(view, observed.volume);
      return projectVolume({ observed, plan, result, volume, memory });
    },
    forget: (uid) => memories.forget(uid),
  };
}

interface Ports extends VolumeReconcilerOptions, ObservePorts {
  readonly view: ObjectView<PersistentVolume>;
}

/** What the volume and its claim were when there was nothing more to do: what comes then may be our own echo. */
function isSettled(ports: Ports, key: string): boolean {
  const volume = ports.view.get(key);
  if (volume === undefined) return false;
  const { settledAt } = ports.memories.of(uidOf(volume));
  return settledAt !== undefined && settledAt === versionsOf(ports, volume);
}

interface Applied {
  readonly change: VolumeChange;
  readonly observed: VolumeObserved;
}

async function applyChange(
  ports: Ports,
  { change, observed }: Applied,
  run: RunContext,
): Promise<void> {
  const { client, view, memories, events, clock } = ports;
  const volume = newest(view, observed.volume);
  const memory = memories.of(uidOf(volume));
  if (change.kind === "volume.grow") {
    const { disk, sizeGiB } = change.after;
    memory.facts = await run.volumes.grow(disk, sizeGiB, run.priority);
  } else if (change.kind === "claim.status.write") {
    if (observed.claim === undefined) return;
    memory.writtenClaim = await applyToClaim(client, { change, claim: observed.claim }, run);
  } else {
    view.wrote(await applyToVolume(client, { change, volume }, run));
  }
  memory.changedAt = clock.now();
  const told = eventOfWish(change);
  if (told !== undefined) events.event(volumeTarget(volume), told);
}

interface Concluded {
  readonly observed: VolumeObserved;
  readonly plan: Plan<VolumeChange>;
  readonly result: ApplyResult;
}

/** What is learnt and told at the end of a run: that a growth is done, or that it cannot be. */
function conclude(ports: Ports, { observed, plan, result }: Concluded): void {
  const { memories, view, events } = ports;
  const { claim, volume } = observed;
  const memory = memories.of(uidOf(volume));
  const isDone = result.applied === plan.changes.length;
  const isFinal = plan.next.kind === "settled" || plan.next.kind === "blocked";
  memory.leftAt = versionsOf(ports, newest(view, volume));
  memory.settledAt = isDone && isFinal && plan.again !== true ? memory.leftAt : undefined;
  const obstacle = plan.notTaken.find(({ step }) => step === "growth");
  if (obstacle !== undefined) tellFailure(ports, observed, obstacle.reason);
  if (!isDone || claim === undefined || !plan.changes.some(isOfGrowth)) return;
  memory.toldFailure = undefined;
  const sizeGiB = gibibytesOf(claim.spec?.resources?.requests?.storage) ?? 0;
  events.event(claimTarget(claim), resizeSuccessful(volume, sizeGiB));
}

/** Told on the claim, whose owner waits for it, and once for the same reason, whichever request it comes of. */
function tellFailure(
  { memories, events }: Ports,
  { claim, volume }: VolumeObserved,
  reason: Reason,
): void {
  const memory = memories.of(uidOf(volume));
  const why = eventMessage("requestId" in reason ? { ...reason, requestId: undefined } : reason);
  if (claim === undefined || memory.toldFailure === why) return;
  memory.toldFailure = why;
  events.event(claimTarget(claim), resizeFailed(eventMessage(reason)));
}

function newest(view: ObjectView<PersistentVolume>, volume: PersistentVolume): PersistentVolume {
  const known = view.get(nameOf(volume));
  return known !== undefined && uidOf(known) === uidOf(volume) ? known : volume;
}
