import {
  type ActionOf,
  type ControlAction,
  GUARD_RELEASE_MS,
  requestedByUser,
  type SettingAction,
} from "../../model/actions/action.ts";
import type { GuardedNode, Pause } from "../../model/controls.ts";
import type { EventReason } from "../../model/events.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Change, NotTaken, Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import { phrased } from "../../model/reasons/phrases.ts";
import type { ControlRecord } from "./control-record.ts";
import type { ControlObserved, ControlWork } from "./control-work.ts";
import { addRelease } from "./guard-record.ts";
import { pauseOf } from "./pauses.ts";
import { notHere, refused } from "./refused-plan.ts";
import { isSettingDone, planSetting, writeSetting } from "./setting-changes.ts";
import { textInForce } from "./settings-record.ts";

/** How an action is carried out on the control record; everything else about it is in the model. All functions are pure. */
interface CarriedOut<Kind extends ControlAction> {
  /** Returns what the action would change in the record. */
  plan(observed: ControlObserved<Kind>, nowMs: number): Plan;
  /** Returns the record with the action applied. */
  write(work: ControlWork<Kind>, nowMs: number): ControlRecord;
  /** Reports whether the record shows the effect and, where that can be known, that this intent caused it. */
  isDone(work: ControlWork<Kind>, nowMs: number): boolean;
  /** The reason of the Event that reports the action. */
  readonly event: EventReason;
  /** What the Event says besides who asked and why; the controller's name by default. */
  eventSubject?(action: Kind): string;
  /** Set if the action is done only when the loops follow the record. */
  readonly isObeyed?: true;
}

const SETTING_CHANGED: CarriedOut<SettingAction> = {
  plan: planSetting,
  write: writeSetting,
  isDone: isSettingDone,
  event: "SettingChanged",
  eventSubject: ({ setting, value, reset }) =>
    reset === true ? `--${setting} is ${value} again` : `--${setting} is ${value}`,
};

const CARRIED_OUT: {
  readonly [Kind in ControlAction["kind"]]: CarriedOut<ActionOf<Kind>>;
} = {
  pause: {
    plan: planPause,
    write: ({ record, requested, object }, nowMs) => {
      const { action, by, why, intentId } = requested;
      const { until } = action;
      const pause: Pause = { controller: object.name, by, why, at: nowMs, until, intentId };
      return { ...record, pauses: [...pausesOfOthers(record, object), pause] };
    },
    isDone: ({ record, requested, object }, nowMs) =>
      pauseOf(record.pauses, object.name, nowMs)?.intentId === requested.intentId,
    event: "ControllerPaused",
    isObeyed: true,
  },
  resume: {
    plan: planResume,
    write: ({ record, object }) => ({ ...record, pauses: pausesOfOthers(record, object) }),
    isDone: ({ record, object }, nowMs) => pauseOf(record.pauses, object.name, nowMs) === undefined,
    event: "ControllerResumed",
  },
  "release-guard": {
    plan: planRelease,
    write: ({ record, requested }, nowMs) => {
      const { action, by, why, intentId } = requested;
      const nodes = action.nodes.filter(isHeldBy(record));
      const release = { nodes, by, why, intentId, at: nowMs, until: nowMs + GUARD_RELEASE_MS };
      return { ...record, guard: addRelease(record.guard, release) };
    },
    isDone: ({ record, requested }) =>
      record.guard.releases.some(({ intentId }) => intentId === requested.intentId),
    event: "DeletionGuardReleased",
  },
  "set-setting": SETTING_CHANGED,
  "shorten-retention": SETTING_CHANGED,
  "loosen-guard": SETTING_CHANGED,
};

/** Must be called only with an action of this kind. */
export function carriedOut({ kind }: ControlAction): CarriedOut<ControlAction> {
  return CARRIED_OUT[kind] as CarriedOut<never> as CarriedOut<ControlAction>;
}

/** Returns what an action about a controller or the deletion guard would change in the control record. Pure. */
export function planControl(observed: ControlObserved, nowMs: number): Plan {
  const { unavailable, requested } = observed;
  if (unavailable !== undefined) {
    return refused(requested.action, { code: "ControlRecordUnavailable", message: unavailable });
  }
  return carriedOut(requested.action).plan(observed, nowMs);
}

function pausesOfOthers({ pauses }: ControlRecord, { name }: ObjectRef): readonly Pause[] {
  return pauses.filter(({ controller }) => controller !== name);
}

function isHeldBy({ guard }: ControlRecord): (node: GuardedNode) => boolean {
  const held = new Set(guard.held.map(({ uid }) => uid));
  return ({ uid }) => held.has(uid);
}

function planPause(observed: ControlObserved<ActionOf<"pause">>, nowMs: number): Plan {
  const { requested, object, controllers } = observed;
  const { action, by, why } = requested;
  const { until } = action;
  if (!controllers.has(object.name)) return refused(action, notHere(object));
  if (until <= nowMs) {
    return refused(action, {
      code: "WishRefused",
      ...phrased("problem", "pauseEnded"),
    });
  }
  const paused: Reason = { code: "ControllerPaused", by, untilMs: until, why };
  return {
    changes: [
      pauseChange(observed, { kind: "controller.pause", after: { pause: { until } } }, nowMs),
    ],
    notTaken: [],
    next: { kind: "waiting", reason: paused, forMs: until - nowMs },
  };
}

function planResume(observed: ControlObserved<ActionOf<"resume">>, nowMs: number): Plan {
  const { requested, object, record } = observed;
  if (pauseOf(record.pauses, object.name, nowMs) === undefined) {
    const what = phrased("what", "notPaused", object.name);
    return refused(requested.action, { code: "NothingToDo", ...what });
  }
  return {
    changes: [pauseChange(observed, { kind: "controller.resume", after: { pause: null } }, nowMs)],
    notTaken: [],
    next: { kind: "settled", reason: requestedByUser(requested) },
  };
}

function planRelease({
  requested,
  object,
  record,
  flags,
}: ControlObserved<ActionOf<"release-guard">>): Plan {
  const { action } = requested;
  if (textInForce(record.settings, "node-deletion-guard", flags) === "off") {
    return refused(action, { code: "NothingToDo", ...phrased("what", "guardOff") });
  }
  const isHeld = isHeldBy(record);
  const nodes = action.nodes.filter(isHeld).map(({ name, uid }) => ({ name, uid }));
  if (nodes.length === 0) {
    return refused(action, { code: "NothingToDo", ...phrased("what", "noNodeWaits") });
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
    notTaken: action.nodes.filter((node) => !isHeld(node)).map(waitsNoMore),
    next: { kind: "settled", reason },
  };
}

function waitsNoMore({ name }: GuardedNode): NotTaken {
  const what = phrased("what", "nodeWaitsNoMore", name);
  return { step: `release ${name}`, reason: { code: "NothingToDo", ...what } };
}

function pauseChange(
  { requested, object, record }: ControlWork,
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
