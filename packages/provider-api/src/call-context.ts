import type { ProviderError } from "./errors.ts";

/** The context of every call to a cloud: when it is aborted, and how each request is reported and limited. */
export interface CallContext {
  readonly signal: AbortSignal;
  /**
   * Wraps one request to the cloud: waits for the budget, times the request, records it for the waiting runs, and learns from its error. A
   * provider sends every request through it, and puts nothing else around the request.
   */
  call<T>(call: CallDescription, send: Send<T>): Promise<T>;
}

/**
 * Sends one request. A client that waits for a connection calls `mayLeave` again just before the first byte leaves (with undici:
 * `fencedDispatch`) and throws NotSent when it returns false: a process that was stopped meanwhile may have lost its lease.
 */
export type Send<T> = (signal: AbortSignal, mayLeave: () => boolean) => Promise<Answered<T>>;

export interface CallDescription {
  readonly operation: string;
  readonly target: string;
  /** Whether the request changes the cloud: such requests are fenced by the lease. */
  readonly mutates: boolean;
  /** How long the cloud may take for this answer, milliseconds. Absent: the provider's general timeout. */
  readonly answerTimeoutMs?: number;
}

export interface Answered<T> {
  readonly value: T;
  readonly status: number;
  readonly requestId?: string;
  /**
   * The calls to the cloud that another process made for this request: these are recorded, counted and learned from instead of the request
   * itself. Empty: it made none. Absent: the request is itself the call.
   */
  readonly calls?: readonly MadeCall[];
}

/** A finished call to the cloud that another process made. */
export interface MadeCall extends CallDescription {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly status?: number;
  readonly requestId?: string;
  /** Absent when the call succeeded. */
  readonly error?: ProviderError;
}
