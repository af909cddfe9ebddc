import type { PersistentVolume } from "../../kube/client.ts";
import type { NotTaken, Plan } from "../../model/plan.ts";
import type { Reason, ReasonOf } from "../../model/reason.ts";
import type { Asked, WishOf } from "../../model/wish.ts";
import { holdFor, holdOf, holdPart, isSameHold } from "../hold/hold.ts";
import { nextOfHold } from "../hold/plan-held.ts";
import type { Release, VolumeChange } from "./changes.ts";
import type { VolumeObserved } from "./observed.ts";
import { refOf } from "./volume-object.ts";

interface Wished {
  readonly observed: VolumeObserved;
  /** What the loop would do by itself. */
  readonly unasked: Plan<VolumeChange>;
}

/** Holds a volume until then, or puts another hold in an earlier one's place. */
export function planHold(
  { observed, unasked }: Wished,
  asked: Asked<WishOf<"hold">>,
  nowMs: number,
): Plan<VolumeChange> {
  const { volume } = observed;
  const wanted = holdFor(asked);
  if (isSameHold(holdOf(volume), wanted)) {
    return refusing(unasked, "hold", nothingToDo("the volume is held as wished"));
  }
  const change: VolumeChange = {
    kind: "volume.hold",
    system: "cluster",
    target: refOf(volume),
    before: holdPart(holdOf(volume)),
    after: { hold: { until: asked.wish.until } },
    reason: personAsked(asked),
  };
  return { changes: [change], notTaken: [], next: nextOfHold(wanted, nowMs) };
}

/** Ends a hold, whoever set it; the volume comes back at once for what it needs now. */
export function planRelease({ observed, unasked }: Wished, asked: Asked): Plan<VolumeChange> {
  const { volume } = observed;
  if (holdOf(volume) === undefined) {
    return refusing(unasked, "release", nothingToDo("the volume is not held"));
  }
  const reason = personAsked(asked);
  return {
    changes: [release(volume, reason)],
    notTaken: [],
    next: { kind: "waiting", reason, forMs: 0 },
  };
}

export function release(volume: PersistentVolume, reason: Reason): Release {
  return {
    kind: "volume.release",
    system: "cluster",
    target: refOf(volume),
    before: holdPart(holdOf(volume)),
    after: { hold: null },
    reason,
  };
}

/** What the loop would do by itself, and why it does not do what was wished for. */
export function refusing(
  plan: Plan<VolumeChange>,
  step: NotTaken["step"],
  reason: ReasonOf<"NothingToDo"> | ReasonOf<"WishRefused">,
): Plan<VolumeChange> {
  return { ...plan, notTaken: [...plan.notTaken, { step, reason }] };
}

function personAsked({ by, why, intentId }: Asked): ReasonOf<"PersonAsked"> {
  return { code: "PersonAsked", by, why, intentId };
}

function nothingToDo(what: string): ReasonOf<"NothingToDo"> {
  return { code: "NothingToDo", what };
}
