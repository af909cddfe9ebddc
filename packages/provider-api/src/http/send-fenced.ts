import type { Answered, CallDescription, Send } from "../call-context.ts";
import { isProviderError, ProviderError, type ProviderErrorCode } from "../errors.ts";
import { wasNeverSent } from "./connection-failure.ts";
import { isNotSent } from "./fenced-dispatch.ts";

/** One request to a cloud and its limits. */
export interface FencedCall {
  /** The provider's name, for messages. */
  readonly provider: string;
  readonly description: CallDescription;
  /** The caller's signal; when it aborts the request is abandoned. */
  readonly signal: AbortSignal;
  /** How long the cloud may take for its answer, milliseconds. */
  readonly deadlineMs: number;
  /** Reports whether this process still holds the lease; called before requests that change the cloud. */
  fence(): boolean;
  /** Runs the callback once after this many milliseconds; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** Returns the error of a request that must not be sent: it would change the cloud, but this process does not hold the lease. */
export function heldBack(call: FencedCall): ProviderError | undefined {
  return mayLeave(call) ? undefined : withoutLease(call);
}

/**
 * Sends one request within its deadline and behind the fence. Throws ProviderError `TimedOut` when no answer comes in time, and
 * `Unavailable` when the fence refuses it as it leaves; the signal's reason when that aborts; otherwise what `send` threw. A request that
 * changes the cloud and was sent without getting an answer, also because the signal aborted, throws a ProviderError with `mayBeDone`.
 */
export async function sendFenced<T>(call: FencedCall, send: Send<T>): Promise<Answered<T>> {
  call.signal.throwIfAborted();
  const attempt = new AbortController();
  const ends = new Promise<never>((_resolve, reject) => {
    attempt.signal.addEventListener("abort", () => reject(attempt.signal.reason), { once: true });
  });
  const passOn = () => attempt.abort(call.signal.reason);
  call.signal.addEventListener("abort", passOn, { once: true });
  const cancel = call.after(call.deadlineMs, () => attempt.abort(timedOut(call)));
  try {
    return await Promise.race([send(attempt.signal, () => mayLeave(call)), ends]);
  } catch (error) {
    if (isNotSent(error)) throw withoutLease(call);
    throw orDone(call, attempt.signal.aborted ? attempt.signal.reason : error);
  } finally {
    cancel();
    call.signal.removeEventListener("abort", passOn);
  }
}

function mayLeave({ description, fence }: FencedCall): boolean {
  return !description.mutates || fence();
}

function withoutLease({ provider, description }: FencedCall): ProviderError {
  const { operation, target } = description;
  return new ProviderError(
    "Unavailable",
    `${operation} was not sent: this process no longer holds the Lease; the new leader carries on.`,
    { provider, operation, target, fenced: true },
  );
}

/** Adds `mayBeDone` to the error of a change whose answer was lost; returns any other error unchanged. */
function orDone(call: FencedCall, error: unknown): unknown {
  if (!call.description.mutates) return error;
  if (!isProviderError(error)) return call.signal.aborted ? givenUp(call, error) : error;
  const { status, mayBeDone } = error.call;
  if (mayBeDone !== undefined || !LOST.has(error.code)) return error;
  if (status !== undefined && error.code !== "OutOfBounds") return error;
  if (wasNeverSent(error.cause)) return error;
  return new ProviderError(error.code, error.message, {
    ...error.call,
    mayBeDone: true,
    cause: error.cause,
  });
}

const LOST: ReadonlySet<ProviderErrorCode> = new Set(["Unavailable", "TimedOut", "OutOfBounds"]);

function givenUp({ provider, description }: FencedCall, cause: unknown): ProviderError {
  const { operation, target } = description;
  return new ProviderError(
    "Unavailable",
    `${operation} was sent, but the run ended before an answer came; the next run checks the result.`,
    { provider, operation, target, mayBeDone: true, cause },
  );
}

/** `retryAfterMs` of a timed-out call is how long we waited. */
function timedOut({ provider, description, deadlineMs }: FencedCall): ProviderError {
  const { operation, target } = description;
  return new ProviderError("TimedOut", `${provider} did not answer ${operation} in time.`, {
    provider,
    operation,
    target,
    retryAfterMs: deadlineMs,
  });
}
