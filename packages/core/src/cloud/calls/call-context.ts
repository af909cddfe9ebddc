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
  /** Whether this process still holds the lease: asked right before each call that changes the cloud, and as it leaves. */
  fence(): boolean;
  /** Milliseconds that the cloud has for an answer whose call names no time; 10,000 unless given. Waiting for the budget does not count. */
  readonly deadlineMs?: number;
  /** The longest wait that a cloud is believed when it names one, milliseconds; ten minutes unless given. */
  readonly maxRetryAfterMs?: number;
  /** Notified of every call that ended, for metrics. Must not throw. */
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
  /** Notified of every call made with this context when it ended. */
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
 * The error as the rest of us may see it, whoever made it: its texts bounded and without secrets, and with a wait that is believed.
 * A cloud that asks to wait for years, or for what is no number, would stop all work for it.
 */
function admitted(made: CallToMake, error: unknown): unknown {
  if (!isProviderError(error)) return error;
  const retryAfterMs = believedWait(made, error);
  const { retryAfterMs: _, ...call } = error.call;
  return boundedError(error, retryAfterMs === undefined ? call : { ...call, retryAfterMs });
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
  notify(call, { ...call.description, ...ending, durationMs, error });
}

function notify(call: CallToMake, ended: CloudCall): void {
  call.request.onCall?.(ended);
  call.onCall?.(ended);
}
