import {
  type AnswerBody,
  type CallRef,
  ProviderError,
  type ProviderErrorCode,
} from "@cloudwright/provider-api";
import { parseRetryAfter } from "@cloudwright/provider-api/http";
import { z } from "zod";

const errorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), field: z.string().optional() }),
});

type Said = z.infer<typeof errorSchema>["error"];

/** An error response. */
export interface RefusedAnswer {
  readonly call: CallRef & { readonly status: number };
  readonly body: unknown;
  /** The header's value: seconds or a date. */
  readonly retryAfter: string | undefined;
}

/** Returns the error that a refusal of the sandbox cloud means (spec/70, "Errors"). */
export function errorOfAnswer({ call, body, retryAfter }: RefusedAnswer): ProviderError {
  const parsed = errorSchema.safeParse(body);
  const said = parsed.success ? parsed.data.error : undefined;
  const code = codeOf(call.status, said?.code);
  const message = said?.message ?? `the cloud answered ${call.status} without saying why`;
  const retryAfterMs = parseRetryAfter(retryAfter, Date.now());
  return new ProviderError(code, message, {
    ...call,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(said?.field === undefined ? {} : { field: said.field }),
    ...(said === undefined ? {} : { body: bodyOf(said) }),
  });
}

function bodyOf({ code, message, field }: Said): AnswerBody {
  return { code, message, ...(field === undefined ? {} : { fields: [field] }) };
}

/** Only the cloud's own `not_found` counts: a 404 from a proxy proves nothing. */
function codeOf(status: number, said: string | undefined): ProviderErrorCode {
  switch (status) {
    case 401:
    case 403:
      return "Unauthorized";
    case 404:
      return said === "not_found" ? "NotFound" : "Unavailable";
    case 409:
      return said === "quota_exceeded" ? "QuotaExceeded" : "Conflict";
    case 429:
      return "Throttled";
    default:
      return status >= 400 && status < 500 ? "Invalid" : "Unavailable";
  }
}
