import type { Clock } from "../../model/time.ts";
import { sleep } from "../sleep.ts";

export interface RateLimit {
  /**
   * Waits for this caller's turn, first come first served; returns the milliseconds that it waited, without a promise if that is
   * 0.
   */
  acquire(signal?: AbortSignal): number | Promise<number>;
}

export interface RateLimitOptions {
  /** Tokens a second; 0 or less means no limit. */
  readonly qps: number;
  readonly burst: number;
  readonly clock: Clock;
}

/**
 * A token bucket. A caller takes its token at once and waits until that token is available, so that callers leave in
 * order of arrival. A caller that gives up returns its token.
 */
export function createRateLimit(options: RateLimitOptions): RateLimit {
  if (options.qps <= 0) return { acquire: () => 0 };
  const { qps, clock } = options;
  const burst = Math.max(options.burst, 1);
  let tokens = burst;
  let filledAt = clock.monotonic();

  return {
    acquire: (signal) => {
      const now = clock.monotonic();
      tokens = Math.min(burst, tokens + ((now - filledAt) * qps) / 1_000);
      filledAt = now;
      tokens -= 1;
      if (tokens >= 0) return 0;
      return sleep(clock, (-tokens * 1_000) / qps, signal).then(() => {
        if (signal?.aborted) tokens += 1;
        return clock.monotonic() - now;
      });
    },
  };
}
