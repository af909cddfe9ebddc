import type { ObjectRef } from "../model/object-ref.ts";
import type { ChangeKind } from "../model/plan.ts";
import { faultOf, type Reason, type ReasonCode, stateOf } from "../model/reason.ts";
import type { Outcome } from "../model/run.ts";
import { type State, stateAfter } from "../model/state.ts";
import { isFenced, isStale, mayBeDone, reasonOfError } from "./failure.ts";
import type { Reported } from "./outcome-events.ts";
import type { Projection } from "./reconciler.ts";
import type { Shown } from "./run/shown.ts";

/** What a loop keeps of one key between its runs. */
export interface Remembered<Memory> {
  readonly uid: string | undefined;
  /** The reconciler's own. */
  readonly own: Memory;
  /** What the last run left; undefined before the first one has ended. */
  readonly last: LastRun | undefined;
}

/** What feeds a loop's queue may know of its objects. */
export interface ReadMemoryStore<Memory> {
  /** What is remembered of the object with this UID; as of one that no run has seen, when there is nothing. */
  of(key: string, uid: string | undefined): Memory;
}

/** What a loop remembers of its objects: of each key the object that has it now, until that is gone. */
export class MemoryStore<Memory> implements ReadMemoryStore<Memory> {
  readonly #byKey = new Map<string, Remembered<Memory>>();
  readonly #none: Memory;

  constructor(none: Memory) {
    this.#none = none;
  }

  of(key: string, uid: string | undefined): Memory {
    const known = this.#byKey.get(key);
    return known !== undefined && known.uid === uid ? known.own : this.#none;
  }

  /**
   * Who a run is about that begins with the key, and what is remembered of it. An object that is gone may have lost its UID with
   * the cache's entry; it is still the one that we knew.
   */
  recall(
    key: string,
    named: ObjectRef,
  ): { readonly object: ObjectRef } & Pick<Remembered<Memory>, "own" | "last"> {
    const known = this.#byKey.get(key);
    if (known === undefined) return { object: named, own: this.#none, last: undefined };
    const uid = named.uid ?? known.uid;
    const object = uid === undefined ? named : { ...named, uid };
    const { own, last } = known.uid === uid ? known : { own: this.#none, last: undefined };
    return { object, own, last };
  }

  get(key: string): Remembered<Memory> | undefined {
    return this.#byKey.get(key);
  }

  /** What is known before a run writes: should it never end, the next one begins with it. */
  announced(key: string, announced: Remembered<Memory>): void {
    this.#byKey.set(key, announced);
  }

  /** What a run has left. Of what is gone nothing is kept but, while its key may come back, the reconciler's own. */
  ended(key: string, { uid, own, last }: Remembered<Memory> & { readonly last: LastRun }): void {
    if (last.reason.code === "ObjectGone") {
      this.#byKey.delete(key);
      return;
    }
    const failedWrite = last.failures > 0 ? last.failedWrite : undefined;
    const kept = last.state === "gone" ? undefined : { ...last, failedWrite };
    this.#byKey.set(key, { uid, own, last: kept });
  }
}

/** What the last run left of an object, as far as the engine knows it. */
export interface LastRun extends Judgement {
  /** The write that failed last in this row of failures. */
  readonly failedWrite: FailedWrite | undefined;
  /** The warning that was reported last, while it lasts. */
  readonly reported: Reported | undefined;
  /** The last projection but for what the cloud said, for runs that could not see. */
  readonly projection: Projection | undefined;
  /** What it saw; its parts are the projection's, so that it costs no memory of its own. */
  readonly shown: Shown;
}

/** The state that a run left its object in, and since when. */
export interface Judgement {
  readonly failures: number;
  readonly failingSince: number | undefined;
  readonly outcome: Outcome;
  readonly state: State;
  readonly reason: Reason;
  readonly since: number;
}

export interface Ending {
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly at: number;
}

/**
 * The state that a run leaves its object in, from how it ended and what was before. An object that fails or is blocked is so
 * since the first such run of the row, whatever it was called and for whatever cause meanwhile.
 */
export function judge(before: Judgement | undefined, ending: Ending): Judgement {
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
  before: Judgement | undefined,
  { outcome, reason, at }: Ending,
): Pick<Judgement, "failures" | "failingSince"> {
  const failures = before?.failures ?? 0;
  const failingSince = before?.failingSince;
  const stillFailing = failingSince ?? at;
  switch (outcome) {
    case "interrupted":
      return { failures, failingSince };
    case "failed":
    case "timedOut":
      return { failures: failures + 1, failingSince: stillFailing };
    case "blocked":
      return {
        failures: 0,
        ...{ failingSince: stateOf(reason) === "held" ? undefined : stillFailing },
      };
    case "changed":
    case "unchanged":
    case "waiting":
      return { failures: 0, failingSince: undefined };
  }
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
    couldNotObserve: forced === "unknown",
    fault: faultOf(reason),
    failures,
    failingSinceMs,
    nowMs: at,
  });
}

/** A write that failed, as far as the next failure is compared with it. */
export interface FailedWrite {
  readonly kind: ChangeKind;
  readonly code: ReasonCode;
  /** `unknown`: it may have been made, as only its answer was lost. */
  readonly result: "failed" | "unknown";
}

/**
 * What failed; undefined when nothing did: the plan was stale, the Lease lost, or the run ended before anything left.
 * `isOver`: the run's signal has aborted.
 */
export function failedWrite(
  kind: ChangeKind,
  error: unknown,
  isOver: boolean,
): FailedWrite | undefined {
  const result = mayBeDone(error) ? "unknown" : "failed";
  if (result === "failed" && (isStale(error) || isFenced(error) || isOver)) return undefined;
  return { kind, code: reasonOfError(error).code, result };
}

/**
 * Whether an entry records it already. The first failed attempt of a streak is an entry; its repetitions are in the runs.
 * Another kind of change is another streak, and so is one whose answer was lost: it may have been made, and no later
 * entry would record it.
 */
export function isRepeated(failed: FailedWrite, last: FailedWrite | undefined): boolean {
  return last?.kind === failed.kind && last.code === failed.code && last.result === failed.result;
}
