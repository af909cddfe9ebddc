import type { AnswerBody } from "../model/answer-body.ts";
import { boundedText } from "../model/bounded-text.ts";
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
  /** The answer is larger, deeper or longer than an answer may be; nothing of it was used. */
  "OutOfBounds",
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
    this.call = boundedCall(call);
  }
}

/** Names and ids in a call are of the cloud's making; no cloud has longer ones, and records and log lines repeat them. */
const LONGEST_NAME = 1_024;

/** The same call with names of a length that a record can bear. */
export function boundedCall<Call extends Partial<CallRef>>(call: Call): Call {
  const { operation, target, requestId, field } = call;
  return {
    ...call,
    ...(operation === undefined ? {} : { operation: boundedText(operation, LONGEST_NAME) }),
    ...(target === undefined ? {} : { target: boundedText(target, LONGEST_NAME) }),
    ...(requestId === undefined ? {} : { requestId: boundedText(requestId, LONGEST_NAME) }),
    ...(field === undefined ? {} : { field: boundedText(field, LONGEST_NAME) }),
  };
}

export function isProviderError(error: unknown): error is ProviderError {
  return error instanceof Error && error.name === "ProviderError" && "code" in error;
}

/** The reason that a cloud failure becomes; the only place that maps one to the other. */
export function reasonOfProviderError(error: ProviderError): Reason {
  // A plug-in may have a copy of this class that bounds nothing.
  const { provider, operation, status, requestId, retryAfterMs, fenced } = boundedCall(error.call);
  if (fenced === true) return { code: "LeaseLost", operation };
  const message = withoutSecrets(error.message);
  const failure = { provider, operation, message, status, requestId };
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
    case "OutOfBounds":
    case "Unavailable":
      return { code: "ProviderUnavailable", ...failure, retryAfterMs };
  }
}
