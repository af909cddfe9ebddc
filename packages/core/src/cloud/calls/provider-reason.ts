import { type CallRef, ProviderError } from "@cloudwright/provider-api";
import type { Reason } from "../../model/reason.ts";
import { boundedText } from "../../model/values/bounded-text.ts";
import { withoutSecrets } from "../../model/values/secrets.ts";

/** Returns the Reason for a cloud failure; the only place that maps one to the other. */
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

/** The cloud determines names and ids in a call; no cloud has longer ones, and records and log lines repeat them. */
const LONGEST_NAME = 1_024;

/** Returns the call with names short enough for a record. */
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

/**
 * Returns the error in a form for records and log lines, whoever created it: its texts bounded, and what looks like a secret
 * masked.
 */
export function boundedError(error: ProviderError, call: CallRef = error.call): ProviderError {
  const { cause } = error;
  return new ProviderError(error.code, withoutSecrets(error.message), {
    ...boundedCall(call),
    cause,
  });
}
