import type { Action, ControlAction, RequestedAction } from "../../model/action.ts";
import { GUARD_RELEASE_MS, requestedByUser } from "../../model/action.ts";
import type { GuardedNode } from "../../model/controls.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Change, NotTaken, Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import type { ControlRecord } from "./control-record.ts";
import { pauseOf } from "./pauses.ts";

/** Everything that the plan of a control wish is made of. */
export interface ControlObserved {
  readonly record: ControlRecord;
  /** Why nothing can be kept, if so: the API server's message. */
  readonly unavailable: string | undefined;
  /** Of the controllers that run here; others can be neither paused nor resumed. */
  readonly controllers: ReadonlySet<string>;
  /** False with `--node-deletion-guard=off`. */
  readonly isGuarded: boolean;
  readonly requested: RequestedAction<ControlAction>;
  readonly object: ObjectRef;
}

/** What an action about a controller or the deletion guard would change in the control record. Pure. */
export function planControl(observed: ControlObserved, nowMs: number): Plan {
  const { unavailable, requested } = observed;
  if (unavailable !== undefined) {
    return refused(requested.wish, { code: "ControlRecordUnavailable", message: unavailable });
  }
  switch (requested.wish.kind) {
    case "pause":
      return planPause(observed, requested.wish.until, nowMs);
    case "resume":
      return planResume(observed, nowMs);
    case "release-guard":
      return planRelease(observed, requested.wish.nodes);
  }
}

function planPause(observed: ControlObserved, until: number, nowMs: number): Plan {
  const { requested, object, controllers } = observed;
  if (!controllers.has(object.name)) return refused(requested.wish, notHere(object));
  if (until <= nowMs) {
    return refused(requested.wish, {
      code: "WishRefused",
      problem: "the pause would already have ended; choose a later end and try again",
    });
  }
  const paused: Reason = {
    code: "ControllerPaused",
    by: requested.by,
    untilMs: until,
    why: requested.why,
  };
  return {
    changes: [
      pauseChange(observed, { kind: "controller.pause", after: { pause: { until } } }, nowMs),
    ],
    notTaken: [],
    next: { kind: "waiting", reason: paused, forMs: until - nowMs },
  };
}

function planResume(observed: ControlObserved, nowMs: number): Plan {
  const { requested, object, record } = observed;
  if (pauseOf(record.pauses, object.name, nowMs) === undefined) {
    return refused(requested.wish, { code: "NothingToDo", what: `${object.name} is not paused` });
  }
  return {
    changes: [pauseChange(observed, { kind: "controller.resume", after: { pause: null } }, nowMs)],
    notTaken: [],
    next: { kind: "settled", reason: requestedByUser(requested) },
  };
}

function planRelease(observed: ControlObserved, wanted: readonly GuardedNode[]): Plan {
  const { requested, object, record, isGuarded } = observed;
  if (!isGuarded) return refused(requested.wish, { code: "NothingToDo", what: GUARD_IS_OFF });
  const held = new Set(record.guard.held.map(({ uid }) => uid));
  const nodes = wanted.filter(({ uid }) => held.has(uid)).map(({ name, uid }) => ({ name, uid }));
  if (nodes.length === 0) {
    return refused(requested.wish, { code: "NothingToDo", what: NONE_WAITS });
  }
  const reason = requestedByUser(requested);
  return {
    changes: [
      {
        kind: "guard.release",
        system: "cluster",
        target: object,
        before: { released: [] },
        after: { released: nodes, forMs: GUARD_RELEASE_MS },
        reason,
      },
    ],
    notTaken: wanted.filter(({ uid }) => !held.has(uid)).map(waitsNoMore),
    next: { kind: "settled", reason },
  };
}

const GUARD_IS_OFF = "the deletion guard is off";
const NONE_WAITS = "none of these nodes waits for the deletion guard";

function waitsNoMore({ name }: GuardedNode): NotTaken {
  const what = `node ${name} does not wait for the deletion guard any more`;
  return { step: `release ${name}`, reason: { code: "NothingToDo", what } };
}

function pauseChange(
  { requested, object, record }: ControlObserved,
  wanted: Pick<Change, "kind" | "after">,
  nowMs: number,
): Change {
  const pause = pauseOf(record.pauses, object.name, nowMs);
  return {
    ...wanted,
    system: "cluster",
    target: object,
    before: { pause: pause === undefined ? null : { until: pause.until } },
    reason: requestedByUser(requested),
  };
}

function notHere({ name }: ObjectRef): Reason {
  return { code: "WishRefused", problem: `${name} does not run here; check --controllers` };
}

function refused(action: Action, reason: Reason): Plan {
  return {
    changes: [],
    notTaken: [{ step: action.kind, reason }],
    next: { kind: "settled", reason },
  };
}
