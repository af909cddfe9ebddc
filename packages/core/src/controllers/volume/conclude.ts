import type { PersistentVolume, PersistentVolumeClaim } from "../../kube/client.ts";
import { type EventTarget, type EventText, eventText } from "../../kube/events/event-object.ts";
import { holdIn, type Reason } from "../../model/reason.ts";
import type { VolumeDetail } from "../../model/records/volume-record.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { Drift } from "../../model/state.ts";
import type { Effect } from "../../reconcile/effects.ts";
import { reasonOfError } from "../../reconcile/failure.ts";
import type { Concluded, Conclusion, Projection } from "../../reconcile/reconciler.ts";
import { eventOfHold, eventOfRelease } from "../hold/hold.ts";
import { labelsOf, nameOf, uidOf, valueAt } from "../objects/object-meta.ts";
import { affinityState } from "./affinity.ts";
import { isOfGrowth, type VolumeAnswer, type VolumeChange } from "./changes.ts";
import { claimName } from "./growth.ts";
import { versionsOf } from "./observe.ts";
import type { VolumeObserved } from "./observed.ts";
import { planNeeds } from "./plan.ts";
import { topologyOf } from "./plan-topology.ts";
import { gibibytesOf } from "./quantity.ts";
import { BETA_REGION_LABEL, BETA_ZONE_LABEL, REGION_LABEL, ZONE_LABEL } from "./topology.ts";
import type { VolumeMemory } from "./volume-memory.ts";

type Run = Concluded<VolumeObserved, VolumeChange, VolumeMemory, VolumeAnswer>;

/** Returns what to remember, publish and show of a volume after a run. */
export function concludeVolume(run: Run): Conclusion<VolumeMemory> {
  const after = stateAfter(run);
  const { effects, reportedFailure } = growthReport(run);
  const memory = memoryAfter(run, { ...after, reportedFailure });
  const actions = run.result.written.flatMap(({ change }) => {
    const event = eventOfAction(change);
    return event === undefined ? [] : [eventOn(volumeTarget(after.volume), event)];
  });
  return { memory, effects: [...actions, ...effects], view: viewOf({ ...run, ...after, memory }) };
}

/** Returns the volume, its claim and its disk after the run's writes. */
function stateAfter({ observed, result }: Run) {
  const answers = result.written.map(({ answer }) => answer);
  const written = answers.findLast((answer) => answer.kind === "volume")?.volume;
  const writtenClaim = answers.findLast((answer) => answer.kind === "claim")?.claim;
  return {
    volume: result.applied > 0 ? (written ?? observed.volume) : observed.volume,
    writtenClaim,
    facts: answers.findLast((answer) => answer.kind === "disk")?.facts ?? observed.known.facts,
  };
}

type StateAfter = ReturnType<typeof stateAfter> & Pick<VolumeMemory, "reportedFailure">;

function memoryAfter(
  { memory, observed, plan, result }: Run,
  { volume, writtenClaim, facts, reportedFailure }: StateAfter,
): VolumeMemory {
  const { lookup } = observed.known;
  const leftAt = versionsOf({ ...observed, volume, claim: writtenClaim ?? observed.claim });
  const isFinal = plan.next.kind === "settled" || plan.next.kind === "blocked";
  const isSettled = result.isDone && isFinal && plan.again !== true;
  return {
    ...memory,
    ...(observed.isRequested ? { lookup, answeredAt: result.observedAt.nowMs } : {}),
    facts,
    writtenClaim: writtenClaim ?? memory.writtenClaim,
    changedAt: result.written.at(-1)?.at ?? memory.changedAt,
    leftAt,
    settledAt: isSettled ? leftAt : undefined,
    reportedFailure,
  };
}

/**
 * Returns what to report on the claim, whose owner waits for it: that growing has succeeded or, once for the same cause, that it
 * has failed.
 */
function growthReport({ memory, observed, plan, result }: Run): {
  readonly effects: readonly Effect[];
  readonly reportedFailure: string | undefined;
} {
  const { claim, volume } = observed;
  if (claim === undefined) return { effects: [], reportedFailure: memory.reportedFailure };
  const failures = result.failed
    .filter(({ change }) => isOfGrowth(change))
    .map(({ error }) => reasonOfError(error));
  const obstacle = plan.notTaken.find(({ step }) => step === "growth");
  const effects: Effect[] = [];
  let reported = memory.reportedFailure;
  for (const reason of obstacle === undefined ? failures : [...failures, obstacle.reason]) {
    const why = whyOf(reason);
    if (why !== reported) effects.push(eventOn(claimTarget(claim), resizeFailed(reason)));
    reported = why;
  }
  if (!result.isDone || !plan.changes.some(isOfGrowth))
    return { effects, reportedFailure: reported };
  const sizeGiB = gibibytesOf(claim.spec?.resources?.requests?.storage) ?? 0;
  effects.push(eventOn(claimTarget(claim), resizeSuccessful(volume, sizeGiB)));
  return { effects, reportedFailure: undefined };
}

/** Returns the cause, the same for all requests that it affects. */
function whyOf(reason: Reason): string {
  return eventMessage("requestId" in reason ? { ...reason, requestId: undefined } : reason);
}

function eventOn(target: EventTarget, event: EventText): Effect {
  return { kind: "event", target, event };
}

/** Named as by the in-tree controller (spec/50 §8). */
function resizeFailed(why: Reason): EventText {
  return eventText("VolumeResizeFailed", eventMessage(why));
}

/** Named as by the in-tree controller (spec/50 §8). */
function resizeSuccessful(volume: PersistentVolume, sizeGiB: number): EventText {
  return eventText(
    "VolumeResizeSuccessful",
    `The disk of volume ${nameOf(volume)} has ${sizeGiB} GiB.`,
  );
}

/** Returns the Event for a user's action: who did it, and why. */
function eventOfAction(change: VolumeChange): EventText | undefined {
  if (change.kind === "volume.release") return eventOfRelease(change.reason);
  return change.kind === "volume.hold"
    ? eventOfHold(change.reason, change.after.hold.until)
    : undefined;
}

function volumeTarget(volume: PersistentVolume): EventTarget {
  const uid = uidOf(volume);
  return { apiVersion: "v1", kind: "PersistentVolume", name: nameOf(volume), uid };
}

function claimTarget(claim: PersistentVolumeClaim): EventTarget {
  const { namespace = "" } = claim.metadata ?? {};
  const uid = uidOf(claim);
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", name: nameOf(claim), namespace, uid };
}

interface Shown extends Run {
  /** The volume after the run's writes. */
  readonly volume: PersistentVolume;
}

/** Returns what the pages show of a volume. */
function viewOf(run: Shown): Projection {
  const { observed, volume } = run;
  const shown = { name: nameOf(volume), uid: uidOf(volume) };
  if (observed.disk === undefined) return { ...shown, drift: "notChecked" };
  return { ...shown, drift: driftOf(run), detail: detailOf(run, observed.disk) };
}

/** For a held volume, what would be done if it were not held. */
function driftOf({ observed, plan, result }: Run): Drift {
  if (topologyOf(observed)?.kind !== "known") return "notChecked";
  const isHeld = holdIn(plan.next.reason) !== undefined;
  const left = isHeld ? planNeeds(observed).changes : plan.changes.slice(result.applied);
  const conflicts = plan.next.reason.code === "VolumeAffinityConflict";
  return conflicts || left.some(({ kind }) => IS_DRIFT.has(kind)) ? "drifted" : "inStep";
}

const IS_DRIFT: ReadonlySet<VolumeChange["kind"]> = new Set([
  "volume.labels.write",
  "volume.grow",
  "volume.capacity.write",
  "claim.status.write",
]);

function detailOf({ observed, volume, memory }: Shown, disk: string): VolumeDetail {
  const topology = topologyOf(observed);
  const known = topology?.kind === "known" ? topology : { labels: {}, requirements: [] };
  const { claim } = observed;
  const { storageClassName, capacity } = volume.spec ?? {};
  const claimed = gibibytesOf(claim?.spec?.resources?.requests?.storage);
  return {
    kind: "volume",
    volumeId: disk,
    ...(storageClassName ? { storageClass: storageClassName } : {}),
    ...(claim === undefined ? {} : { claim: claimName(claim) }),
    labels: { wanted: placeIn(known.labels), has: placeIn(labelsOf(volume)) },
    affinity: affinityState(volume, known.requirements),
    sizeGiB: {
      ...(memory.facts === undefined ? {} : { cloud: memory.facts.sizeGiB }),
      volume: gibibytesOf(capacity?.storage) ?? 0,
      ...(claimed === undefined ? {} : { claimed }),
    },
    ...(memory.facts === undefined ? {} : { asOf: memory.facts.asOf }),
    ...(memory.changedAt === undefined ? {} : { changedAt: memory.changedAt }),
  };
}

function placeIn(labels: Readonly<Record<string, string>>): VolumeDetail["labels"]["has"] {
  const zone = valueAt(labels, ZONE_LABEL) ?? valueAt(labels, BETA_ZONE_LABEL);
  const region = valueAt(labels, REGION_LABEL) ?? valueAt(labels, BETA_REGION_LABEL);
  return {
    ...(zone === null ? {} : { zone }),
    ...(region === null ? {} : { region }),
  };
}
