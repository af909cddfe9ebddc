export interface RateLimit {
  readonly attempts: number;
  readonly withinMs: number;
}

/** Counts attempts by key in a sliding window; `allow` returns false once there are too many. Only this process's attempts count. */
export function rateLimiter({ attempts, withinMs }: RateLimit) {
  const seen = new Map<string, readonly number[]>();
  return {
    allow(key: string, now: number): boolean {
      const recent = (seen.get(key) ?? []).filter((at) => now - at < withinMs);
      if (recent.length >= attempts) return false;
      forgetIdle(seen, now - withinMs);
      seen.set(key, [...recent, now]);
      return true;
    },
  };
}

function forgetIdle(seen: Map<string, readonly number[]>, before: number): void {
  for (const [key, times] of seen) {
    if ((times.at(-1) ?? 0) <= before) seen.delete(key);
  }
}
