import { setMaxListeners } from "node:events";
import { isNotSent } from "../http/fenced-dispatch.ts";
import { DEFAULT_MAX_RETRY_AFTER_MS } from "../http/retry-after.ts";
import { wasNeverSent } from "../model/connection-failure.ts";
import type { Clock } from "../model/time.ts";
import type { CloudBudget } from "./budget.ts";
import { boundedCall, isProviderError, ProviderError, type ProviderErrorCode } from "./errors.ts";
import type { Answered, CallContext, CallDescription, CallPriority, Send } from "./provider.ts";

export interface CallContextsOptions {
  /** The provider's name, for messages. */
  readonly provider: string;
  readonly clock: Clock;
  readonly budget: CloudBudget;
  /** Whether this process still holds the lease: asked right before each call that changes the cloud, and as it leaves. */
  fence(): boolean;
  /** Milliseconds that the cloud has for one answer; 30,000 unless given. Waiting for the budget does not count. */
  readonly deadlineMs?: number;
  /** The longest wait that a cloud is believed when it names one, milliseconds; ten minutes unless given. */
  readonly maxRetryAfterMs?: number;
  /** Told of every call that ended, for metrics. Must not throw. */
  onCall?(call: CloudCall): void;
}

/** One call to the cloud, when it has ended. */
export interface CloudCall {
  readonly operation: string;
  readonly target: string;
  readonly mutates: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Time that it waited for the budget, within the duration. */
  readonly limiterWaitMs: number;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** What was thrown, when it failed. */
  readonly error: unknown;
}

export interface CallContextRequest {
  readonly signal: AbortSignal;
  readonly priority: CallPriority;
  /** Told of every call made with this context when it ended. */
  onCall?(call: CloudCall): void;
}

/** Makes the contexts that a provider's calls go through: budget, deadline, fence and report, once for all clouds. */
export type CallContexts = (request: CallContextRequest) => CallContext;

/**
 * `call` of a context throws ProviderError `Throttled` when the budget has no turn for it, `TimedOut` when no answer
 * comes within the deadline, `Unavailable` when it would change the cloud without the lease; the signal's reason when
 * that aborts; else what `send` threw. What would change the cloud and has left without an answer, also because the signal
 * aborted, is a ProviderError with `mayBeDone`.
 */
export function createCallContexts(options: CallContextsOptions): CallContexts {
  return (request) => {
    // A provider may have many calls on their way for one batch, and each listens.
    setMaxListeners(0, request.signal);
    return {
      signal: request.signal,
      priority: request.priority,
      call: (description, send) =>
        makeCall({ ...options, request, description: boundedCall(description) }, send),
    };
  };
}

const DEFAULT_DEADLINE_MS = 10_000;

interface CallToMake extends CallContextsOptions {
  readonly request: CallContextRequest;
  readonly description: CallDescription;
}

async function makeCall<T>(call: CallToMake, send: Send<T>): Promise<T> {
  const { clock, budget, request } = call;
  const times = { startedAt: clock.now(), start: clock.monotonic() };
  const limiterWaitMs = await budget.acquire(request.priority, request.signal);
  if (!mayLeave(call)) throw withoutLease(call);
  try {
    const answer = await sendWithin(call, send);
    budget.answered();
    report(call, { ...times, limiterWaitMs, ...answerNames(answer) });
    return answer.value;
  } catch (thrown) {
    const error = admitted(call, thrown);
    learn(budget, error, times.start + limiterWaitMs);
    report(call, { ...times, limiterWaitMs, ...answerOf(error), error });
    throw error;
  }
}

function answerNames({ status, requestId }: Answered<unknown>) {
  return { status, requestId: requestId && boundedCall({ requestId }).requestId };
}

/**
 * The error as the rest of us may see it, whoever made it: its texts bounded, and with a wait that is believed. A cloud that
 * asks to wait for years, or for what is no number, would stop all work for it.
 */
function admitted(call: CallToMake, error: unknown): unknown {
  if (!isProviderError(error)) return error;
  const retryAfterMs = believedWait(call, error);
  if (error instanceof ProviderError && retryAfterMs === error.call.retryAfterMs) return error;
  const { retryAfterMs: _, ...ref } = error.call;
  return new ProviderError(error.code, error.message, {
    ...ref,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    cause: error.cause,
  });
}

/** What timed out carries how long we waited ourselves. */
function believedWait(
  { maxRetryAfterMs = DEFAULT_MAX_RETRY_AFTER_MS }: CallToMake,
  { code, call: { retryAfterMs } }: ProviderError,
): number | undefined {
  if (code === "TimedOut" || retryAfterMs === undefined || Number.isNaN(retryAfterMs)) {
    return code === "TimedOut" ? retryAfterMs : undefined;
  }
  return Math.min(Math.max(0, retryAfterMs), maxRetryAfterMs);
}

function mayLeave({ description, fence }: CallToMake): boolean {
  return !description.mutates || fence();
}

function withoutLease({ provider, description }: CallToMake): ProviderError {
  const { operation, target } = description;
  return new ProviderError(
    "Unavailable",
    `${operation} was not sent: this process does not hold the lease any more; the new leader carries on.`,
    { provider, operation, target, fenced: true },
  );
}

async function sendWithin<T>(call: CallToMake, send: Send<T>): Promise<Answered<T>> {
  const { clock, request } = call;
  request.signal.throwIfAborted();
  const attempt = new AbortController();
  const deadlineMs = call.deadlineMs ?? DEFAULT_DEADLINE_MS;
  const ends = new Promise<never>((_resolve, reject) => {
    attempt.signal.addEventListener("abort", () => reject(attempt.signal.reason), { once: true });
  });
  const passOn = () => attempt.abort(request.signal.reason);
  request.signal.addEventListener("abort", passOn, { once: true });
  const cancel = clock.after(deadlineMs, () => attempt.abort(timedOut(call, deadlineMs)));
  try {
    return await Promise.race([send(attempt.signal, () => mayLeave(call)), ends]);
  } catch (error) {
    if (isNotSent(error)) throw withoutLease(call);
    throw orDone(call, attempt.signal.aborted ? attempt.signal.reason : error);
  } finally {
    cancel();
    request.signal.removeEventListener("abort", passOn);
  }
}

/** The error of a change whose answer did not come, with the word that it may have been made; any other as it is. */
function orDone(call: CallToMake, error: unknown): unknown {
  if (!call.description.mutates) return error;
  if (!isProviderError(error)) return call.request.signal.aborted ? givenUp(call, error) : error;
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

function givenUp({ provider, description }: CallToMake, cause: unknown): ProviderError {
  const { operation, target } = description;
  return new ProviderError(
    "Unavailable",
    `${operation} was sent, but the run ended before an answer came; what came of it is looked at next time.`,
    { provider, operation, target, mayBeDone: true, cause },
  );
}

/** `retryAfterMs` of a timed-out call is how long we waited: the reason says so (see `reasonOfProviderError`). */
function timedOut({ provider, description }: CallToMake, deadlineMs: number): ProviderError {
  const { operation, target } = description;
  return new ProviderError("TimedOut", `${provider} gave no answer to ${operation} in time.`, {
    provider,
    operation,
    target,
    retryAfterMs: deadlineMs,
  });
}

function learn(budget: CloudBudget, error: unknown, sentAt: number): void {
  if (!isProviderError(error)) return;
  if (error.code === "Throttled") budget.throttled(error, sentAt);
  else if (UNSERVED.has(error.code) && error.call.fenced !== true) budget.failed(error);
  else if (error.call.status !== undefined) budget.answered();
}

/** What the cloud itself could not do, whatever was asked. */
const UNSERVED: ReadonlySet<ProviderErrorCode> = new Set([
  "Unavailable",
  "TimedOut",
  "OutOfBounds",
]);

function answerOf(error: unknown): Pick<CloudCall, "status" | "requestId"> {
  if (!isProviderError(error)) return { status: undefined, requestId: undefined };
  return { status: error.call.status, requestId: error.call.requestId };
}

type Ending = Omit<CloudCall, "operation" | "target" | "mutates" | "durationMs" | "error"> & {
  readonly start: number;
  readonly error?: unknown;
};

function report(call: CallToMake, { start, error, ...ending }: Ending): void {
  const durationMs = call.clock.monotonic() - start;
  const ended: CloudCall = { ...call.description, ...ending, durationMs, error };
  call.request.onCall?.(ended);
  call.onCall?.(ended);
}
