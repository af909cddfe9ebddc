import { setMaxListeners } from "node:events";
import {
  type CallContext,
  type CallDescription,
  isProviderError,
  type MadeCall,
  type ProviderError,
  type ProviderErrorCode,
  type Send,
} from "@cloudwright/provider-api";
import { type FencedCall, heldBack, sendFenced } from "@cloudwright/provider-api/http";
import type { CallPriority } from "../../model/call-priority.ts";
import { DEFAULT_MAX_RETRY_AFTER_MS } from "../../model/language/duration.ts";
import type { Clock } from "../../model/time.ts";
import type { CloudBudget } from "./budget.ts";
import { boundedCall, boundedError } from "./provider-reason.ts";

export interface CallContextsOptions {
  /** The provider's name, for messages. */
  readonly provider: string;
  readonly clock: Clock;
  readonly budget: CloudBudget;
  /**
   * Returns whether this process still holds the lease: checked right before each call that changes the cloud, and when it
   * is sent.
   */
  fence(): boolean;
  /**
   * How many milliseconds the cloud has for an answer if the call names no time; 10,000 by default. Waiting for the budget does not count.
   */
  readonly deadlineMs?: number;
  /** The longest wait that is accepted when the cloud names one, in milliseconds; ten minutes by default. */
  readonly maxRetryAfterMs?: number;
  /** Called at the end of every call, for metrics. Must not throw. */
  onCall?(call: CloudCall): void;
}

/** One call to the cloud that has ended. */
export interface CloudCall {
  readonly operation: string;
  readonly target: string;
  readonly mutates: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** How long it waited for the budget, as a part of the duration. */
  readonly limiterWaitMs: number;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** The error, if it failed. */
  readonly error: unknown;
}

export interface CallContextRequest {
  readonly signal: AbortSignal;
  readonly priority: CallPriority;
  /** Called at the end of every call made with this context. */
  onCall?(call: CloudCall): void;
}

/**
 * Creates the contexts through which a provider makes its calls: budget, deadline, fence and report, the same for all
 * clouds.
 */
export type CallContexts = (request: CallContextRequest) => CallContext;

/**
 * `call` of a context throws ProviderError `Throttled` if the budget has no turn for it, `TimedOut` if no answer comes
 * within the deadline, and `Unavailable` if it would change the cloud without the lease; the signal's reason when that
 * aborts; otherwise what `send` threw. A change that was sent but got no answer, including because the signal aborted, is
 * a ProviderError with `mayBeDone`.
 */
export function createCallContexts(options: CallContextsOptions): CallContexts {
  return (request) => {
    // A provider may have many calls in progress for one batch, and each adds a listener.
    setMaxListeners(0, request.signal);
    return {
      signal: request.signal,
      call: (description, send) =>
        makeCall({ ...options, request, description: boundedCall(description) }, send),
    };
  };
}

interface CallToMake extends CallContextsOptions {
  readonly request: CallContextRequest;
  readonly description: CallDescription;
}

async function makeCall<T>(call: CallToMake, send: Send<T>): Promise<T> {
  const { clock, budget, request } = call;
  const times = { startedAt: clock.now(), start: clock.monotonic() };
  const limiterWaitMs = await budget.acquire(request.priority, request.signal);
  const fenced = fencedCallOf(call);
  const error = heldBack(fenced);
  if (error !== undefined) throw error;
  try {
    const answer = await sendFenced(fenced, send);
    if (answer.calls !== undefined) {
      reportMade(call, answer.calls, limiterWaitMs);
      return answer.value;
    }
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

/** Each call that another process made counts as one of ours: the first has waited for the budget, the others were not held back. */
function reportMade(call: CallToMake, made: readonly MadeCall[], limiterWaitMs: number): void {
  const { budget, clock } = call;
  for (const [index, { operation, target, mutates, startedAt, ...one }] of made.entries()) {
    const error = one.error === undefined ? undefined : admitted(call, one.error);
    const sentAt = clock.monotonic() - Math.max(0, clock.now() - startedAt);
    if (error === undefined) budget.answered();
    else learn(budget, error, sentAt);
    notify(call, {
      ...boundedCall({ operation, target }),
      mutates,
      startedAt,
      durationMs: one.durationMs,
      limiterWaitMs: index === 0 ? limiterWaitMs : 0,
      ...answerNames(one),
      error,
    });
  }
}

const DEFAULT_DEADLINE_MS = 10_000;

function fencedCallOf(call: CallToMake): FencedCall {
  const { provider, description, clock, fence, deadlineMs = DEFAULT_DEADLINE_MS } = call;
  const { signal } = call.request;
  const limitMs = description.answerTimeoutMs ?? deadlineMs;
  return { provider, description, signal, deadlineMs: limitMs, fence, after: clock.after };
}

function answerNames({ status, requestId }: Pick<MadeCall, "status" | "requestId">) {
  return { status, requestId: requestId && boundedCall({ requestId }).requestId };
}

/**
 * Returns the error as the rest of the program may see it, whoever created it: its texts bounded and without secrets, and with an
 * acceptable wait. A cloud that asks to wait for years, or for something that is not a number, would stop all work for it.
 */
function admitted(made: CallToMake, error: unknown): unknown {
  if (!isProviderError(error)) return error;
  const retryAfterMs = believedWait(made, error);
  const { retryAfterMs: _, ...call } = error.call;
  return boundedError(error, retryAfterMs === undefined ? call : { ...call, retryAfterMs });
}

/** The duration in a timeout is how long we waited ourselves. */
function believedWait(
  { maxRetryAfterMs = DEFAULT_MAX_RETRY_AFTER_MS }: CallToMake,
  { code, call: { retryAfterMs } }: ProviderError,
): number | undefined {
  if (code === "TimedOut" || retryAfterMs === undefined || Number.isNaN(retryAfterMs)) {
    return code === "TimedOut" ? retryAfterMs : undefined;
  }
  return Math.min(Math.max(0, retryAfterMs), maxRetryAfterMs);
}

function learn(budget: CloudBudget, error: unknown, sentAt: number): void {
  if (!isProviderError(error)) return;
  if (error.code === "Throttled") budget.throttled(error, sentAt);
  else if (UNSERVED.has(error.code) && error.call.fenced !== true) budget.failed(error);
  else if (error.call.status !== undefined) budget.answered();
}

/** Failures of the cloud itself, whatever was requested. */
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
  notify(call, { ...call.description, ...ending, durationMs, error });
}

function notify(call: CallToMake, ended: CloudCall): void {
  call.request.onCall?.(ended);
  call.onCall?.(ended);
}
