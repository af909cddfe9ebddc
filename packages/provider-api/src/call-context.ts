import type { ProviderError } from "./errors.ts";

/** What every call to a cloud gets: when it is given up, and how each request is reported and limited. */
export interface CallContext {
  readonly signal: AbortSignal;
  /**
   * Wraps one request to the cloud: waits for the budget, times it, records it for the runs that wait, and learns
   * from its error. A provider sends every request through it and nothing else around it.
   */
  call<T>(call: CallDescription, send: Send<T>): Promise<T>;
}

/**
 * Makes one request. Whoever waits for a connection before the first byte leaves asks `mayLeave` once more then (with undici:
 * `fencedDispatch`), and throws NotSent when it says no: a process that was stopped meanwhile may have lost its lease.
 */
export type Send<T> = (signal: AbortSignal, mayLeave: () => boolean) => Promise<Answered<T>>;

export interface CallDescription {
  readonly operation: string;
  readonly target: string;
  /** Whether it changes the cloud: those are fenced by the lease. */
  readonly mutates: boolean;
  /** Milliseconds that the cloud has for this answer; as long as for any other of the provider unless given. */
  readonly answerTimeoutMs?: number;
}

export interface Answered<T> {
  readonly value: T;
  readonly status: number;
  readonly requestId?: string;
  /**
   * The calls to the cloud that another process made for this request: they are recorded, counted and learned from in place of
   * the request itself. Empty: it took none. Absent: the request is itself the call.
   */
  readonly calls?: readonly MadeCall[];
}

/** A call that another process made to the cloud, when it has ended. */
export interface MadeCall extends CallDescription {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly status?: number;
  readonly requestId?: string;
  /** Absent when it succeeded. */
  readonly error?: ProviderError;
}
