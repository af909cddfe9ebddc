import { faultOf, type Reason, stateOf } from "../../model/reason.ts";
import type { Outcome } from "../../model/run.ts";
import { type State, stateAfter } from "../../model/state.ts";

/** The state in which a run left its object, and since when. */
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
 * Returns the state in which a run leaves its object, from how the run ended and the state before. A failing or blocked
 * object has been so since the first run of the streak, even if its state and cause had other names meanwhile.
 */
export function judge(before: Judgement | undefined, ending: Ending): Judgement {
  const { outcome, reason, at } = ending;
  const { failures, failingSince } = streakAfter(before, ending);
  const state = stateAfterRun(ending, failures, failingSince);
  const same = before?.state === state && before.reason.code === reason.code;
  const since = failingSince ?? (same ? before.since : at);
  return { failures, failingSince, outcome, state, reason, since };
}

/** An aborted run neither ends the streak nor counts as a failure. A blocked object is not retried, but it remains failing. */
function streakAfter(
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
