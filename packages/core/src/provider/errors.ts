import type { AnswerBody } from "../model/answer-body.ts";
import type { Reason } from "../model/reason.ts";
import { withoutSecrets } from "../model/secrets.ts";

export const PROVIDER_ERROR_CODES = [
  "NotFound",
  "Throttled",
  "QuotaExceeded",
  "Unauthorized",
  "Conflict",
  "Invalid",
  "Unavailable",
  "TimedOut",
  "Unsupported",
] as const;
export type ProviderErrorCode = (typeof PROVIDER_ERROR_CODES)[number];

/** The cloud call that failed: enough to find it in the cloud's own logs. */
export interface CallRef {
  readonly provider: string;
  /** `GET /v1/instances/{id}`, `DescribeInstances`: the name without identifiers, so that metrics stay few. */
  readonly operation: string;
  readonly target?: string;
  readonly status?: number;
  readonly requestId?: string;
  /** What the cloud asked us to wait; of TimedOut, how long we waited. */
  readonly retryAfterMs?: number;
  /** Invalid: the field the cloud complained about. */
  readonly field?: string;
  /** Invalid: the provider ID of the one member that the cloud refused. */
  readonly member?: string;
  /** Whether the cloud may have done it although no answer said so: the request left and its answer was lost. */
  readonly mayBeDone?: boolean;
  /** Whether it was held back, as this process does not lead any more. */
  readonly fenced?: boolean;
  /** What the cloud said in its refusal; a record keeps no more of it than these fields. */
  readonly body?: AnswerBody;
}

/** The one error that a provider throws or puts into a batch answer. Recognised by `code`, also across copies of the package. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: ProviderErrorCode;
  readonly call: CallRef;

  constructor(
    code: ProviderErrorCode,
    message: string,
    call: CallRef & { readonly cause?: unknown },
  ) {
    super(withoutSecrets(message), { cause: call.cause });
    this.code = code;
    this.call = call;
  }
}

export function isProviderError(error: unknown): error is ProviderError {
  return error instanceof Error && error.name === "ProviderError" && "code" in error;
}

/** The reason that a cloud failure becomes; the only place that maps one to the other. */
export function reasonOfProviderError(error: ProviderError): Reason {
  const { provider, operation, status, requestId, retryAfterMs } = error.call;
  if (error.call.fenced === true) return { code: "LeaseLost", operation };
  const failure = { provider, operation, message: error.message, status, requestId };
  switch (error.code) {
    case "Throttled":
      return { code: "ProviderThrottled", provider, operation, retryAfterMs, requestId };
    case "Unauthorized":
      return { code: "ProviderUnauthorized", ...failure };
    case "QuotaExceeded":
      return { code: "ProviderQuotaExceeded", ...failure };
    case "TimedOut":
      return { code: "ProviderTimedOut", provider, operation, afterMs: retryAfterMs ?? 0 };
    case "Unsupported":
      return { code: "ProviderUnsupported", provider, operation };
    case "NotFound":
      return { code: "ProviderRefused", ...failure, because: "notFound" };
    case "Conflict":
      return { code: "ProviderRefused", ...failure, because: "conflict" };
    case "Invalid":
      return { code: "ProviderRefused", ...failure };
    case "Unavailable":
      return { code: "ProviderUnavailable", ...failure, retryAfterMs };
  }
}
