import { reasonOfProviderError } from "../../cloud/calls/provider-reason.ts";
import type { Next, NotTaken, Plan } from "../../model/plan.ts";
import type { Hold, Reason, ReasonOf } from "../../model/reason.ts";
import { phrased } from "../../model/reasons/phrases.ts";
import { activeHoldOf, holdOf } from "../hold/hold.ts";
import { holdWrite, release } from "../hold/hold-changes.ts";
import { planExpiry, planHeld, planRequested } from "../hold/plan-held.ts";
import type { VolumeChange } from "./changes.ts";
import { asksForMore, growthOf } from "./growth.ts";
import type { VolumeObserved } from "./observed.ts";
import { planTopology, type TopologyPlan, topologyOf } from "./plan-topology.ts";
import type { Topology } from "./topology.ts";
import { PLACEHOLDER_ID, refOf } from "./volume-object.ts";

/** Plans what a volume needs, or what a user requests for it. */
export function planVolume(observed: VolumeObserved, nowMs: number): Plan<VolumeChange> {
  const { requested, volume } = observed;
  const unasked = planUnrequested(observed, nowMs);
  const target = refOf(volume);
  return planRequested(
    requested,
    {
      ...{ object: volume, name: "the volume", unasked },
      hold: (until, reason) => [
        holdWrite("volume.hold", { target, hold: holdOf(volume), until, reason }),
      ],
      release: (hold, reason) => release("volume.release", { target, hold, reason }),
    },
    nowMs,
  );
}

function planUnrequested(observed: VolumeObserved, nowMs: number): Plan<VolumeChange> {
  const { volume } = observed;
  const active = activeHoldOf(volume, nowMs);
  if (active !== undefined) return planHeldVolume(observed, active, nowMs);
  const past = holdOf(volume);
  if (past === undefined) return planNeeds(observed);
  const target = refOf(volume);
  return planExpiry(past, (reason) => release("volume.release", { target, hold: past, reason }));
}

/** Writes nothing, neither to the cluster nor to the cloud; what would be done is reported. */
function planHeldVolume(observed: VolumeObserved, hold: Hold, nowMs: number): Plan<VolumeChange> {
  const held = planHeld(observed.volume, hold, nowMs);
  const steps = planNeeds(observed).changes.map(
    ({ kind, reason }): NotTaken => ({ step: kind, reason }),
  );
  return { ...held, notTaken: [...held.notTaken, ...steps] };
}

/**
 * Plans what a volume needs without a user's action: to show where its disk is, and to be as large as its claim
 * asks for.
 */
export function planNeeds(observed: VolumeObserved): Plan<VolumeChange> {
  const { disk, volume } = observed;
  if (disk === undefined) return settled(notOurs("source"));
  if (disk === PLACEHOLDER_ID) return settled(notOurs("placeholder"));
  const failure = failureOf(observed, disk);
  if (failure !== undefined)
    return { changes: [], notTaken: unreported(observed, failure), next: failure };
  const known = topologyOf(observed);
  const topology: TopologyPlan =
    known === undefined ? { changes: [], notTaken: [] } : planTopology(volume, known);
  const growth = growthOf(observed);
  return {
    changes: [...topology.changes, ...growth.changes],
    notTaken: [
      ...topology.notTaken,
      ...(growth.obstacle === undefined ? [] : [{ step: "growth", reason: growth.obstacle }]),
    ],
    next: blockedBy(topology.obstacle ?? growth.obstacle) ?? rest(disk, growth.rest, known),
  };
}

/** Reports on a claim that waits for more why it does not get it. */
function unreported({ claim }: VolumeObserved, { reason }: Next): readonly NotTaken[] {
  return claim !== undefined && asksForMore(claim) ? [{ step: "growth", reason }] : [];
}

function notOurs(why: ReasonOf<"VolumeNotOurs">["why"]): Reason {
  return { code: "VolumeNotOurs", why };
}

function settled(reason: Reason): Plan<VolumeChange> {
  return { changes: [], notTaken: [], next: { kind: "settled", reason } };
}

/** What the cloud did not answer; it is asked again automatically. */
function failureOf({ lookup, provider }: VolumeObserved, id: string): Next | undefined {
  switch (lookup?.kind) {
    case undefined:
    case "found":
      return undefined;
    case "absent": {
      const { requestId } = lookup;
      return { kind: "failed", reason: { code: "VolumeNotFound", provider, id, requestId } };
    }
    case "failed":
      return { kind: "failed", reason: reasonOfProviderError(lookup.error) };
  }
}

function blockedBy(reason: Reason | undefined): Next | undefined {
  return reason === undefined ? undefined : { kind: "blocked", reason };
}

/** Returns the state once everything is written that can be. */
function rest(id: string, left: Reason | undefined, known: Topology | undefined): Next {
  if (known === undefined) return NOT_OBSERVED;
  const isNowhere = known.kind === "known" && known.requirements.length === 0;
  const code = isNowhere ? "VolumeWithoutTopology" : "VolumeInStep";
  return { kind: "settled", reason: left ?? { code, id } };
}

/** Setting or ending a hold does not wait for the cloud: the disk is looked up right afterwards. */
const NOT_OBSERVED: Next = {
  kind: "waiting",
  reason: { code: "NothingToDo", ...phrased("what", "diskNotObserved") },
  forMs: 0,
};
