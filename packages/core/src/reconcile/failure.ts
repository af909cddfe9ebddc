import { isProviderError } from "@cloudwright/provider-api";
import { reasonOfProviderError } from "../cloud/calls/provider-reason.ts";
import { isKubeError, reasonOfKubeError } from "../kube/errors.ts";
import { type Reason, stateOf } from "../model/reason.ts";
import { messageOf } from "../model/values/message-of.ts";
import { withoutSecrets } from "../model/values/secrets.ts";
import { ObserveAgain } from "./run/observe-again.ts";

/**
 * Returns the Reason of anything thrown in a run. This is the one place where an error becomes a Reason (DESIGN.md
 * "Errors").
 */
export function reasonOfError(error: unknown): Reason {
  if (isProviderError(error)) return reasonOfProviderError(error);
  if (isKubeError(error)) return reasonOfKubeError(error);
  const message = messageOf(error);
  return { code: "Unexplained", message: withoutSecrets(message) };
}

/** Reports whether observing again may help at once because what the plan was made from has changed or is gone. */
export function isStale(error: unknown): boolean {
  const isOfCluster = isKubeError(error);
  if (!isOfCluster && !isProviderError(error)) return false;
  return error.code === "Conflict" || error.code === "NotFound";
}

/** Returns the failure behind an error that only asks to observe again. */
export function causeOf(error: unknown): unknown {
  return error instanceof ObserveAgain ? error.cause : error;
}

/** Reports whether a write that threw this error may still have been made: it was sent, and its answer was lost. */
export function mayBeDone(error: unknown): boolean {
  return (isKubeError(error) || isProviderError(error)) && error.call.mayBeDone === true;
}

/** Reports whether the write was held back because this process no longer leads; the new leader carries on. */
export function isFenced(error: unknown): boolean {
  return (isKubeError(error) || isProviderError(error)) && error.call.fenced === true;
}

/**
 * Returns how many milliseconds the API server or the cloud asked us to wait. The duration in a timeout is how long we waited, so it does
 * not count.
 */
export function retryAfterMs(error: unknown): number | undefined {
  const isReported = isKubeError(error) || (isProviderError(error) && error.code !== "TimedOut");
  return isReported ? positive(error.call.retryAfterMs) : undefined;
}

/** "At once" is not a time to wait. */
function positive(ms: number | undefined): number | undefined {
  return ms !== undefined && ms > 0 ? ms : undefined;
}

/** Reports whether the reason means that the object could not be observed: its state is then unknown, never OK. */
export function couldNotObserve(reason: Reason): boolean {
  return stateOf(reason) === "unknown";
}
