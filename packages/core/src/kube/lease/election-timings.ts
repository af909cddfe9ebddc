export interface ElectionTimings {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** A retry is put off by up to this part of the period, so that candidates do not meet. */
export const RETRY_JITTER = 1.2;

/** Whole sentences on what is wrong with the timings; empty when they are sound (spec/00 §9). */
export function electionTimingProblems(timings: ElectionTimings): readonly string[] {
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = timings;
  const problems: string[] = [];
  if (!(leaseDurationMs >= 1_000)) {
    problems.push(
      "--leader-elect-lease-duration must be at least 1s, because a Lease counts whole seconds.",
    );
  }
  if (!(retryPeriodMs > 0)) {
    problems.push("--leader-elect-retry-period must be longer than 0s.");
  }
  if (!(renewDeadlineMs > 0)) {
    problems.push("--leader-elect-renew-deadline must be longer than 0s.");
  }
  if (!(leaseDurationMs > renewDeadlineMs)) {
    problems.push(
      "--leader-elect-lease-duration must be longer than --leader-elect-renew-deadline, so that a leader gives up before another one may start.",
    );
  }
  if (!(renewDeadlineMs > RETRY_JITTER * retryPeriodMs)) {
    problems.push(
      `--leader-elect-renew-deadline must be longer than ${RETRY_JITTER} times --leader-elect-retry-period, so that there is time for a second try.`,
    );
  }
  return problems;
}

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
