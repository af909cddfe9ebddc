export interface ElectionTimings {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** A retry is put off by up to this part of the period, so that candidates do not meet. */
export const RETRY_JITTER = 1.2;

/** Milliseconds that one request of the election may take (spec/00 §9). */
export function electionRequestTimeoutMs({ renewDeadlineMs }: ElectionTimings): number {
  return Math.max(1_000, renewDeadlineMs / 2);
}

/**
 * Milliseconds since the last renewal after which a leader gives up: the deadline counts from the first try that failed,
 * as upstream's does, and is over before another one may lead.
 */
export function giveUpAgeMs(timings: ElectionTimings): number {
  return Math.min(timings.retryPeriodMs + timings.renewDeadlineMs, timings.leaseDurationMs);
}
