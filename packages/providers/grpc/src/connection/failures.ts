import { fromBinary } from "@bufbuild/protobuf";
import { type CallRef, ProviderError, type ProviderErrorCode } from "@cloudwright/provider-api";
import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import {
  type Failure,
  FailureCode,
  FailureSchema,
  UnknownObjectsSchema,
} from "../generated/cloudwright/provider/v1/provider_pb.js";

/** The call to the process that failed. */
export interface FailedCall {
  readonly provider: string;
  /** The method's name. */
  readonly operation: string;
  readonly timeoutMs: number;
}

/** Returns the meaning of a failed call: what the process says about it, else what its gRPC status says. */
export function errorOfStatus(error: ServiceError, call: FailedCall): ProviderError {
  const failure = failureIn(error.metadata);
  if (failure !== undefined) return errorOfFailure(failure, call, error);
  const code = CODES.get(error.code) ?? "Unavailable";
  const message = `${call.operation} of the provider process failed: ${error.details || error.message}`;
  return new ProviderError(code, message, {
    provider: call.provider,
    operation: call.operation,
    ...(code === "TimedOut" ? { retryAfterMs: call.timeoutMs } : {}),
    ...(error.code === status.ABORTED ? { fenced: true } : {}),
    cause: error,
  });
}

/** Returns the error that the process reports for one item of a batch, or for a whole call. */
export function errorOfFailure(
  failure: Failure,
  { provider, operation }: Pick<FailedCall, "provider" | "operation">,
  cause?: unknown,
): ProviderError {
  const { code, message, cloudCode, mayBeDone, retryAfterMs } = failure;
  const call: CallRef = {
    provider,
    operation: failure.operation || operation,
    ...given("target", failure.target),
    ...given("status", failure.status),
    ...given("requestId", failure.requestId),
    ...given("field", failure.field),
    ...given("member", failure.member),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs: Number(retryAfterMs) }),
    // The process knows what it has sent, so this is not inferred from a lost answer of the call to it.
    mayBeDone,
    ...(cloudCode === "" ? {} : { body: { code: cloudCode, message } }),
  };
  const text = message || `${call.operation} failed, and the provider process does not say why.`;
  return new ProviderError(FAILURES[code] ?? "Unavailable", text, { ...call, cause });
}

/** Returns the UIDs of objects that the process reports as missing; undefined if a call failed for another reason. */
export function unknownObjectsOf(error: unknown): readonly string[] | undefined {
  const cause = error instanceof ProviderError ? error.cause : undefined;
  if (!(cause instanceof Error && "metadata" in cause && cause.metadata instanceof Metadata)) {
    return undefined;
  }
  const bytes = trailer(cause.metadata, UNKNOWN_OBJECTS);
  if (bytes === undefined) return undefined;
  return fromBinary(UnknownObjectsSchema, bytes).refs.map(({ uid }) => uid);
}

/** Returns the error for a call without a connection; its cause says that nothing was sent. */
export function notConnected(provider: string, operation: string, why: string): ProviderError {
  return beforeSending(new ProviderError("Unavailable", why, { provider, operation }));
}

/** Returns the same error with a cause that says that nothing was sent, where senders look for it. */
export function beforeSending({ code, message, call }: ProviderError): ProviderError {
  const cause = Object.assign(new Error(message), { code: "ECONNREFUSED" });
  return new ProviderError(code, message, { ...call, cause });
}

const FAILURE = "cloudwright-failure-bin";
const UNKNOWN_OBJECTS = "cloudwright-unknown-objects-bin";

function failureIn(metadata: Metadata | undefined): Failure | undefined {
  const bytes = trailer(metadata, FAILURE);
  return bytes === undefined ? undefined : fromBinary(FailureSchema, bytes);
}

function trailer(metadata: Metadata | undefined, name: string): Uint8Array | undefined {
  const [value] = metadata?.get(name) ?? [];
  return typeof value === "string" ? undefined : value;
}

function given<Name extends string, Value extends string | number>(name: Name, value: Value) {
  return value === "" || value === 0 ? {} : ({ [name]: value } as Record<Name, Value>);
}

const FAILURES: Readonly<Record<FailureCode, ProviderErrorCode>> = {
  [FailureCode.UNSPECIFIED]: "Unavailable",
  [FailureCode.NOT_FOUND]: "NotFound",
  [FailureCode.THROTTLED]: "Throttled",
  [FailureCode.QUOTA_EXCEEDED]: "QuotaExceeded",
  [FailureCode.UNAUTHORIZED]: "Unauthorized",
  [FailureCode.CONFLICT]: "Conflict",
  [FailureCode.INVALID]: "Invalid",
  [FailureCode.UNAVAILABLE]: "Unavailable",
  [FailureCode.TIMED_OUT]: "TimedOut",
  [FailureCode.UNSUPPORTED]: "Unsupported",
  [FailureCode.OUT_OF_BOUNDS]: "OutOfBounds",
};

/**
 * The meaning of statuses without details from the process; other statuses say nothing. A message that is too large, on either
 * side, is RESOURCE_EXHAUSTED.
 */
const CODES: ReadonlyMap<status, ProviderErrorCode> = new Map([
  [status.DEADLINE_EXCEEDED, "TimedOut"],
  [status.UNIMPLEMENTED, "Unsupported"],
  [status.RESOURCE_EXHAUSTED, "OutOfBounds"],
  [status.UNAUTHENTICATED, "Unauthorized"],
  [status.PERMISSION_DENIED, "Unauthorized"],
  [status.INVALID_ARGUMENT, "Invalid"],
  [status.FAILED_PRECONDITION, "Invalid"],
]);
