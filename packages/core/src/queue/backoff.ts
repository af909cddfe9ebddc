import type { Random } from "../model/time.ts";

export interface Backoff {
  /** The delay after the first failure, in milliseconds; each further one doubles it. */
  readonly baseMs: number;
  readonly maxMs: number;
  /**
   * The spread to both sides, as a share of the delay: 0.1 turns 10 s into anything from 9 s to 11 s. None by
   * default.
   */
  readonly jitter?: number;
}

/** For the node loops: a failing node is tried at least every five minutes, and not all of them at once. */
export const NODE_BACKOFF: Backoff = { baseMs: 5, maxMs: 300_000, jitter: 0.1 };

/**
 * For the service loop: upstream's own (spec/30 §1). Without jitter, so that Services that fail together are retried together and share a
 * call.
 */
export const SERVICE_BACKOFF: Backoff = { baseMs: 5_000, maxMs: 300_000 };

/**
 * For Services that have to be cleaned up: upstream comes back to them every 30 s (spec/30 §2), because users wait for their deletion.
 */
export const CLEANUP_BACKOFF: Backoff = { ...SERVICE_BACKOFF, maxMs: 30_000 };

/** For the route loop: upstream retries in each pass; a node waits at most a minute (spec/40 RW-2). */
export const ROUTE_BACKOFF: Backoff = { baseMs: 1_000, maxMs: 60_000, jitter: 0.1 };

/** Returns the delay in milliseconds after this many failures in a row (1 is the first). */
export function backoffDelay(backoff: Backoff, failures: number, random: Random): number {
  const doublings = Math.min(Math.max(failures, 1) - 1, 60);
  const plain = Math.min(backoff.baseMs * 2 ** doublings, backoff.maxMs);
  const jitter = backoff.jitter ?? 0;
  return jitter === 0 ? plain : plain * (1 + jitter * (2 * random() - 1));
}
