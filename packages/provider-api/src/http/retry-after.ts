/**
 * Returns `Retry-After`, which is seconds or a date, in milliseconds; 0 for a time in the past, undefined for any other text (RFC 9110
 * section 10.2.3).
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header === "") return undefined;
  const seconds = Number(header);
  const waitMs = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now;
  return Number.isNaN(waitMs) ? undefined : Math.max(waitMs, 0);
}
