import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ProviderError, ProviderErrorCode } from "@cloudwright/provider-api";
import {
  FailureCode,
  type FailureSchema,
} from "../generated/cloudwright/provider/v1/provider_pb.js";

/** Returns an error as a process reports it. */
export function failureMessage({
  code,
  message,
  call,
}: ProviderError): MessageInitShape<typeof FailureSchema> {
  const { operation, target = "", status = 0, requestId = "", field = "", member = "" } = call;
  return {
    code: CODES[code],
    ...{ message, operation, target, status, requestId, field, member },
    ...(call.retryAfterMs === undefined ? {} : { retryAfterMs: BigInt(call.retryAfterMs) }),
    mayBeDone: call.mayBeDone === true,
  };
}

const CODES: Readonly<Record<ProviderErrorCode, FailureCode>> = {
  NotFound: FailureCode.NOT_FOUND,
  Throttled: FailureCode.THROTTLED,
  QuotaExceeded: FailureCode.QUOTA_EXCEEDED,
  Unauthorized: FailureCode.UNAUTHORIZED,
  Conflict: FailureCode.CONFLICT,
  Invalid: FailureCode.INVALID,
  Unavailable: FailureCode.UNAVAILABLE,
  TimedOut: FailureCode.TIMED_OUT,
  Unsupported: FailureCode.UNSUPPORTED,
  OutOfBounds: FailureCode.OUT_OF_BOUNDS,
};
