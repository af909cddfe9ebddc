import type { TRPCError } from "@trpc/server";

export interface Refusal {
  readonly status: 400 | 401 | 403 | 408 | 413 | 431 | 503;
  /** What happened and what to do about it. */
  readonly sentence: string;
}

const CODES: Record<
  Refusal["status"],
  { readonly name: TRPCError["code"]; readonly number: number }
> = {
  400: { name: "BAD_REQUEST", number: -32_600 },
  401: { name: "UNAUTHORIZED", number: -32_001 },
  403: { name: "FORBIDDEN", number: -32_003 },
  408: { name: "TIMEOUT", number: -32_008 },
  413: { name: "PAYLOAD_TOO_LARGE", number: -32_013 },
  431: { name: "BAD_REQUEST", number: -32_600 },
  503: { name: "SERVICE_UNAVAILABLE", number: -32_603 },
};

/** Returns one answer to a whole API request in the client's format: every call of a batch fails with it. */
export function apiRefusal({ status, sentence }: Refusal, requestId?: string): string {
  const { name, number } = CODES[status];
  const data = { code: name, httpStatus: status, requestId };
  return JSON.stringify({ error: { json: { message: sentence, code: number, data } } });
}
