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

/** The fields of a refusal that a record may keep; never headers, and never what was sent. */
export interface AnswerBody {
  readonly code?: string | number | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** The names of the fields that were complained about, without their values. */
  readonly fields?: readonly string[] | undefined;
}

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
    { cause, ...call }: CallRef & { readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.code = code;
    this.call = call;
  }
}

/** By its shape, as a provider may have a copy of this package; one without a call is an unknown error like any other. */
export function isProviderError(error: unknown): error is ProviderError {
  if (!(error instanceof Error && error.name === "ProviderError" && "code" in error)) return false;
  return "call" in error && typeof error.call === "object" && error.call !== null;
}
