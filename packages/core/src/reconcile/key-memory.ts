import { createHash } from "node:crypto";
import type { ObjectState } from "../model/node-record.ts";
import type { Reason } from "../model/reason.ts";
import type { Outcome } from "../model/run.ts";
import { type State, stateAfter } from "../model/state.ts";
import { couldNotLook } from "./failure.ts";
import type { Projection } from "./reconciler.ts";

/** What the loop knows of a key between its runs. */
export interface KeyMemory {
  readonly uid: string | undefined;
  readonly failures: number;
  readonly failingSince: number | undefined;
  readonly outcome: Outcome;
  readonly state: State;
  readonly reason: Reason;
  readonly since: number;
  /** The last projection but for what the cloud said, for runs that could not see. */
  readonly projection: Projection | undefined;
  /** Stands for the last state that was recorded. */
  readonly fingerprint: string;
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

/** The state that a run leaves its object in, from how it ended and what was before. */
export function judge(before: KeyMemory | undefined, { outcome, reason, at }: Ending): Judgement {
  const failed = outcome === "failed" || outcome === "timedOut";
  const failures = failed ? (before?.failures ?? 0) + 1 : 0;
  const failingSince = failed ? (before?.failingSince ?? at) : undefined;
  const state = stateOf({ outcome, reason, at }, failures, failingSince);
  const same = before?.state === state && before.reason.code === reason.code;
  return { failures, failingSince, outcome, state, reason, since: same ? before.since : at };
}

/**
 * Equal for two states that a page would show alike. When and by which run it was seen does not count, nor whether that
 * run had still to change something: its own record tells.
 */
export function fingerprintOf(state: ObjectState, more: unknown): string {
  const text = JSON.stringify([state, more], (key, value: unknown) =>
    PASSING.has(key) ? undefined : value,
  );
  return createHash("sha256").update(text).digest("base64");
}

const PASSING: ReadonlySet<string> = new Set(["at", "runId", "asOf", "requestId", "outcome"]);

function stateOf(
  { outcome, reason, at }: Ending,
  failures: number,
  failingSinceMs: number | undefined,
): State {
  if (reason.code === "HeldByAnnotation") return "held";
  if (isGone(reason) && (outcome === "changed" || outcome === "unchanged")) return "gone";
  return stateAfter({
    outcome,
    couldNotLook: couldNotLook(reason),
    failures,
    failingSinceMs,
    nowMs: at,
  });
}

function isGone(reason: Reason): boolean {
  return reason.code === "ObjectGone" || reason.code === "InstanceGone";
}
