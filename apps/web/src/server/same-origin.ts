const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether a request that changes something comes from our own pages: its Origin is the public one or, without a public
 * URL, a loopback address that is also the one being asked (which a rebound name is not). A request without an Origin
 * comes from no page of ours.
 */
export function isSameOrigin(headers: Headers, publicOrigin: string | undefined): boolean {
  const origin = headers.get("origin");
  if (origin === null) return false;
  if (publicOrigin !== undefined && origin === publicOrigin) return true;
  return isLoopbackOrigin(origin, headers.get("host"));
}

/** Only a path on this very site may be gone to after signing in. */
export function safeNextPath(next: string | null | undefined): string {
  if (next === null || next === undefined || !next.startsWith("/")) return "/";
  const base = "http://self.invalid";
  const url = URL.canParse(next, base) ? new URL(next, base) : undefined;
  return url?.origin === base && !next.startsWith("//")
    ? `${url.pathname}${url.search}${url.hash}`
    : "/";
}

function isLoopbackOrigin(origin: string, host: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return LOOPBACK.has(url.hostname) && url.host === host;
}
