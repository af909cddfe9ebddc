const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Reports whether a request that changes something comes from our own pages: its Origin is the public one or, without a public URL, a
 * loopback address that is also the requested host (which a rebound name is not). A request without an Origin does not come from our pages.
 */
export function isSameOrigin(headers: Headers, publicOrigin: string | undefined): boolean {
  const origin = headers.get("origin");
  if (origin === null) return false;
  if (publicOrigin !== undefined && origin === publicOrigin) return true;
  return isLoopbackOrigin(origin, headers.get("host"));
}

const SELF = "http://self.invalid";

/** Returns a path within this site to go to after signing in, or "/" for anything else. */
export function safeNextPath(next: string | null | undefined): string {
  if (next === null || next === undefined || !next.startsWith("/")) return "/";
  if (!URL.canParse(next, SELF)) return "/";
  const url = new URL(next, SELF);
  const path = `${url.pathname}${url.search}${url.hash}`;
  // Dot segments have been resolved, and the remaining path may begin with two slashes, which name another site.
  return url.origin === SELF && !path.startsWith("//") ? path : "/";
}

function isLoopbackOrigin(origin: string, host: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return LOOPBACK.has(url.hostname) && url.host === host;
}
