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
  /** The answer is larger, deeper or longer than allowed; none of it was used. */
  "OutOfBounds",
] as const;
export type ProviderErrorCode = (typeof PROVIDER_ERROR_CODES)[number];

/** The fields of an error body that may be recorded; never headers, and never what was sent. */
export interface AnswerBody {
  readonly code?: string | number | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** The names of the fields that the cloud rejected, without their values. */
  readonly fields?: readonly string[] | undefined;
}

/** The cloud call that failed: enough to find it in the cloud's own logs. */
export interface CallRef {
  readonly provider: string;
  /** `GET /v1/instances/{id}`, `DescribeInstances`: the name without identifiers, which keeps the number of metric series small. */
  readonly operation: string;
  readonly target?: string;
  readonly status?: number;
  readonly requestId?: string;
  /** How long the cloud asked us to wait; for TimedOut, how long we waited. */
  readonly retryAfterMs?: number;
  /** For Invalid: the field that the cloud rejected. */
  readonly field?: string;
  /** For Invalid: the provider ID of the one member that the cloud rejected. */
  readonly member?: string;
  /** Whether the cloud may have made the change without an answer: the request left, but its answer was lost. */
  readonly mayBeDone?: boolean;
  /** Whether the request was held back because this process no longer leads. */
  readonly fenced?: boolean;
  /** The cloud's error body; only these fields of it are recorded. */
  readonly body?: AnswerBody;
}

/** The only error that a provider throws or puts into a batch answer. Recognised by `code`, even across copies of this package. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly code: ProviderErrorCode;
  readonly call: CallRef;

  constructor(
    code: ProviderErrorCode,
    message: string,
    { cause, ...call }: CallRef & { readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.code = code;
    this.call = call;
  }
}

/**
 * Reports whether this is a ProviderError, by its shape, as a provider may have its own copy of this package. One without `call` counts as
 * any unknown error.
 */
export function isProviderError(error: unknown): error is ProviderError {
  if (!(error instanceof Error && error.name === "ProviderError" && "code" in error)) return false;
  return "call" in error && typeof error.call === "object" && error.call !== null;
}
