import type { EventText } from "../kube/events/event-object.ts";
import { isOfCloudAlone, type ObjectRef } from "../model/object-ref.ts";
import { factsOf, type Reason, reasonName, severityOf } from "../model/reason.ts";
import type { Outcome } from "../model/run.ts";
import { eventMessage } from "../model/sentence.ts";
import type { EventEffect } from "./effects.ts";

/** The last warning that was reported for an object. */
export interface Reported {
  readonly what: string;
  /** In monotonic milliseconds. */
  readonly at: number;
}

interface EndedRun {
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly dryRun: boolean;
}

const REPEAT_MS = 300_000;

/**
 * Decides whether a run's outcome is news for a Kubernetes Event, and what to remember of it. Upstream says nothing about a
 * run that failed, is blocked or waits, or that settled on less than it should have. We warn when the reason is new for the
 * object, and again every five minutes unless it was dealt with. Dry runs report nothing.
 */
export function outcomeReport(
  { outcome, reason, dryRun }: EndedRun,
  before: Reported | undefined,
  monotonicMs: number,
): { readonly reported: Reported | undefined; readonly isNews: boolean } {
  if (dryRun || outcome === "interrupted") return { reported: before, isNews: false };
  if (severityOf(reason) !== "warning") return { reported: undefined, isNews: false };
  const what = newsOf(reason);
  const isRepeated = factsOf(reason.code).isReportedOnce !== true;
  const isDue = before?.what !== what || (isRepeated && monotonicMs - before.at >= REPEAT_MS);
  return isDue
    ? { reported: { what, at: monotonicMs }, isNews: true }
    : { reported: before, isNews: false };
}

/**
 * Returns the Event of an outcome: its Reason's code and sentence unless the controller has its own wording. An object that
 * exists only in the cloud has no Events.
 */
export function outcomeEvents(
  { kind, name, namespace, uid }: ObjectRef,
  reason: Reason,
  words: EventText = {
    type: "Warning",
    reason: reasonName(reason),
    message: eventMessage(reason),
  },
): readonly EventEffect[] {
  if (isOfCloudAlone({ kind })) return [];
  const slot = namespace === undefined ? {} : { namespace };
  const target = { apiVersion: "v1", kind, name, ...slot, ...(uid && { uid }) };
  return [{ kind: "event", target, event: words }];
}

/** An operator's mistake is news whenever its sentence changes; any other cause only when its code does. */
function newsOf(reason: Reason): string {
  return factsOf(reason.code).isMistake === true ? JSON.stringify(reason) : reasonName(reason);
}
