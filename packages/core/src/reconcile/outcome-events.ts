import type { EventText } from "../kube/events/event-object.ts";
import { isOfCloudAlone, type ObjectRef } from "../model/object-ref.ts";
import { factsOf, type Reason, reasonName, severityOf } from "../model/reason.ts";
import type { Outcome } from "../model/run.ts";
import { eventMessage } from "../model/sentence.ts";
import type { EventEffect } from "./effects.ts";

/** The last warning that an object's runs have reported. */
export interface Reported {
  readonly what: string;
  /** Monotonic milliseconds. */
  readonly at: number;
}

interface EndedRun {
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly dryRun: boolean;
}

const REPEAT_MS = 300_000;

/**
 * Whether a run's outcome is news for a Kubernetes Event, and what is remembered of that. Upstream keeps silent about a
 * run that failed, is blocked or waits, or that settled on less than it should have: we warn when the reason is new for the
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
 * The Event of an outcome, with its Reason's code and sentence unless the controller has its own wording. An object that is only
 * in the cloud has none.
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

/** A mistake is news whenever it differs from the one before; any other cause only when its code does. */
function newsOf(reason: Reason): string {
  return factsOf(reason.code).isMistake === true ? JSON.stringify(reason) : reasonName(reason);
}
