export interface ElectionTimings {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** A retry is delayed by up to this part of the period, so that candidates do not collide. */
export const RETRY_JITTER = 1.2;

/** Returns how many milliseconds one request of the election may take (spec/00 §9). */
export function electionRequestTimeoutMs({ renewDeadlineMs }: ElectionTimings): number {
  return Math.max(1_000, renewDeadlineMs / 2);
}

/**
 * Returns the milliseconds since the last renewal after which a leader gives up. As in upstream, the deadline counts
 * from the first failed attempt, and it ends before another process may lead.
 */
export function giveUpAgeMs(timings: ElectionTimings): number {
  return Math.min(timings.retryPeriodMs + timings.renewDeadlineMs, timings.leaseDurationMs);
}
