/**
 * Reports whether a request that failed with this cause was never sent, so that it cannot have had any effect: nobody answered at the
 * address, or no connection was made in time. After any other lost answer the work may have been done.
 */
export function wasNeverSent(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.every(wasNeverSent);
  if (!(cause instanceof Error)) return false;
  if ("code" in cause && typeof cause.code === "string") return BEFORE_SENDING.has(cause.code);
  return cause.cause === undefined ? false : wasNeverSent(cause.cause);
}

/** Error codes of Node's sockets and of undici. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** Returns why no answer came, in words: some socket errors have a code but no message. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return error.message === "" ? (code ?? error.name) : error.message;
}
