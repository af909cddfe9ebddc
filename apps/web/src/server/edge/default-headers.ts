import type { ServerResponse } from "node:http";

/** Nothing of what is no page may load, run, or be framed. Pages have a policy of their own (proxy.ts). */
const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What every answer says unless whoever makes it says otherwise. */
export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": NO_PAGE,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

/** Adds them when the answer begins, so that errors, redirects, files and streams have them as well as pages. */
export function addDefaultHeaders(response: ServerResponse): void {
  const { writeHead } = response;
  const begin = (...given: unknown[]): ServerResponse => {
    const named = namesIn(given);
    for (const [name, value] of Object.entries(DEFAULT_HEADERS)) {
      const isSaid = response.hasHeader(name) || named.has(name.toLowerCase());
      if (!isSaid) response.setHeader(name, value);
    }
    return Reflect.apply(writeHead, response, given) as ServerResponse;
  };
  response.writeHead = begin as ServerResponse["writeHead"];
}

/** The headers that are given with the status: as an object, or as a list of names and values in turn. */
function namesIn(given: readonly unknown[]): ReadonlySet<string> {
  const headers = given.find((each) => typeof each === "object" && each !== null) ?? {};
  const names = Array.isArray(headers)
    ? headers.flat().filter((_, index) => index % 2 === 0)
    : Object.keys(headers);
  return new Set(names.map((name) => String(name).toLowerCase()));
}
