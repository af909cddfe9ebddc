import type { Change } from "../../model/plan.ts";
import { faultOf, type Reason, stateOf } from "../../model/reason.ts";
import type { ObjectState } from "../../model/records/node-record.ts";
import type { Outcome } from "../../model/run.ts";
import { type State, stateAfter } from "../../model/state.ts";
import type { Projection } from "../reconciler.ts";
import type { FailedWrite } from "./failed-write.ts";

/** What the loop itself knows of a key between its runs. */
export interface KeyMemory {
  readonly failures: number;
  readonly failingSince: number | undefined;
  readonly outcome: Outcome;
  readonly state: State;
  readonly reason: Reason;
  readonly since: number;
  /** The write that failed last in this row of failures. */
  readonly failedWrite?: FailedWrite | undefined;
  /** The last projection but for what the cloud said, for runs that could not see. */
  readonly projection: Projection | undefined;
  /** What the last run saw; its parts are the projection's, so that it costs no memory of its own. */
  readonly shown: Shown;
}

/** What a page shows of an object. */
export interface Shown {
  readonly state: ObjectState;
  /** The changes that a dry run would make. */
  readonly pending: readonly Change[] | undefined;
}

export type Judgement = Pick<
  KeyMemory,
  "failures" | "failingSince" | "outcome" | "state" | "reason" | "since"
>;

export interface Ending {
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly at: number;
}

/**
 * The state that a run leaves its object in, from how it ended and what was before. An object that fails or is blocked is so
 * since the first such run of the row, whatever it was called and for whatever cause meanwhile.
 */
export function judge(before: KeyMemory | undefined, ending: Ending): Judgement {
  const { outcome, reason, at } = ending;
  const { failures, failingSince } = rowOfFailures(before, ending);
  const state = stateAfterRun(ending, failures, failingSince);
  const same = before?.state === state && before.reason.code === reason.code;
  const since = failingSince ?? (same ? before.since : at);
  return { failures, failingSince, outcome, state, reason, since };
}

/**
 * A run that was cut short says nothing: it neither ends the row nor is one more failure. One that is blocked is tried no
 * more, but its trouble goes on.
 */
function rowOfFailures(
  before: KeyMemory | undefined,
  { outcome, reason, at }: Ending,
): Pick<Judgement, "failures" | "failingSince"> {
  const failures = before?.failures ?? 0;
  const failingSince = before?.failingSince;
  switch (outcome) {
    case "interrupted":
      return { failures, failingSince };
    case "failed":
    case "timedOut":
      return { failures: failures + 1, failingSince: failingSince ?? at };
    case "blocked":
      return {
        failures: 0,
        failingSince: stateOf(reason) === "held" ? undefined : (failingSince ?? at),
      };
    case "changed":
    case "unchanged":
    case "waiting":
      return { failures: 0, failingSince: undefined };
  }
}

/**
 * Whether a page would show two states alike. When and by which run it was seen does not count, nor whether that run had
 * still to change something: its own record tells. Compared member by member, as that ends at the first difference and
 * makes no text: it is done for every run.
 */
export function isShownAlike(left: Shown, right: Shown): boolean {
  return isAlike(left, right);
}

const PASSING: ReadonlySet<string> = new Set([
  "at",
  "runId",
  "asOf",
  "requestId",
  "outcome",
  "resourceVersion",
]);

function isAlike(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isObject(left) || !isObject(right)) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  if (!Array.isArray(left) || left.length < LONG) return hasSameParts(left, right);
  const [known, was] = COMPARED.get(left) ?? [];
  if (known?.deref() === right && was !== undefined) return was;
  const isSame = hasSameParts(left, right);
  COMPARED.set(left, [new WeakRef(right), isSame]);
  return isSame;
}

/** From so many entries on a list may be shared: hundreds of balancers have one list of members before a change, and another after it. */
const LONG = 16;
/** By a list: the one that it was compared with last, and whether they were alike. */
const COMPARED = new WeakMap<object, readonly [WeakRef<object>, boolean]>();

function hasSameParts(left: object, right: object): boolean {
  return isPartOf(left, right) && hasNoMore(right, left);
}

function isPartOf(part: object, whole: object): boolean {
  for (const [key, value] of Object.entries(part)) {
    if (!PASSING.has(key) && !isAlike(value, memberOf(whole, key))) return false;
  }
  return true;
}

function hasNoMore(object: object, other: object): boolean {
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined || PASSING.has(key)) continue;
    if (memberOf(other, key) === undefined) return false;
  }
  return true;
}

/** A member that is undefined counts as none, as in JSON. */
function memberOf(object: object, key: string): unknown {
  return Object.hasOwn(object, key)
    ? (object as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function stateAfterRun(
  { outcome, reason, at }: Ending,
  failures: number,
  failingSinceMs: number | undefined,
): State {
  const forced = stateOf(reason);
  if (forced === "held" || forced === "waiting") return forced;
  if (forced === "gone" && (outcome === "changed" || outcome === "unchanged")) return forced;
  return stateAfter({
    outcome,
    couldNotLook: forced === "unknown",
    fault: faultOf(reason),
    failures,
    failingSinceMs,
    nowMs: at,
  });
}
