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
}

export interface Answered<T> {
  readonly value: T;
  readonly status: number;
  readonly requestId?: string;
}
