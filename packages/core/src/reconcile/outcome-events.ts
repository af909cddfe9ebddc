import { type ObjectRef, objectName } from "../model/object-ref.ts";
import { factsOf, type Reason, reasonName, severityOf } from "../model/reason.ts";
import { eventMessage } from "../model/sentence.ts";
import type { Clock } from "../model/time.ts";
import type { RunOutcome } from "./loop-port.ts";

export interface OutcomeEventsOptions<Memory> {
  readonly clock: Clock;
  /** Milliseconds after which a reason that lasts is reported again; 300,000 unless given. */
  readonly repeatMs?: number;
  /** What a controller's own Event for this outcome is called and says; undefined, or absent: its Reason's code and words. */
  wording?(
    outcome: RunOutcome,
    memory: Memory,
  ): Pick<OutcomeEvent, "reason" | "message"> | undefined;
  emit(object: ObjectRef, event: OutcomeEvent): void;
}

export interface OutcomeEvent {
  readonly type: "Warning";
  /** A Reason's code, or an Event reason of upstream's. */
  readonly reason: string;
  readonly message: string;
}

/**
 * Gives a Kubernetes Event to what upstream keeps silent about: a run that failed, is blocked or waits, or that settled
 * on less than it should have, when its reason is new for the object, and again every five minutes unless it was dealt with.
 * Hand it to a loop's `onOutcome`. Dry runs emit nothing.
 */
export function createOutcomeEvents<Memory = void>(
  options: OutcomeEventsOptions<Memory>,
): (outcome: RunOutcome, memory: Memory) => void {
  const told = new Map<string, Told>();
  return (outcome, memory) => {
    if (outcome.dryRun || outcome.outcome === "interrupted") return;
    const key = `${outcome.controller} ${outcome.object.kind} ${objectName(outcome.object)}`;
    if (severityOf(outcome.reason) !== "warning") {
      told.delete(key);
      return;
    }
    const { reason } = outcome;
    const now = options.clock.monotonic();
    const before = told.get(key);
    const repeatMs = pauseFor(reason, options.repeatMs);
    const what = newsOf(reason);
    if (before?.what === what && now - before.at < repeatMs) return;
    told.set(key, { what, at: now });
    const words = options.wording?.(outcome, memory) ?? {
      reason: reasonName(reason),
      message: eventMessage(reason),
    };
    options.emit(outcome.object, { type: "Warning", ...words });
  };
}

const DEFAULT_REPEAT_MS = 300_000;

function pauseFor({ code }: Reason, repeatMs = DEFAULT_REPEAT_MS): number {
  return factsOf(code).isReportedOnce === true ? Number.POSITIVE_INFINITY : repeatMs;
}

interface Told {
  readonly what: string;
  readonly at: number;
}

/** One mistake that takes the place of another is reported as well; other causes are news by their code alone. */
function newsOf(reason: Reason): string {
  return factsOf(reason.code).isMistake === true ? JSON.stringify(reason) : reasonName(reason);
}
