import { formatDuration } from "../../model/duration.ts";
import { type KubeCallRef, KubeError } from "../errors.ts";

/** The error of a call that no answer came to: network, deadline, or the caller gave up. */
export function noAnswer(
  cause: unknown,
  call: KubeCallRef,
  { timeoutMs }: { readonly timeoutMs?: number },
): KubeError {
  const message =
    timeoutMs === undefined
      ? `no whole answer came: ${describe(cause)}`
      : `no whole answer came within ${formatDuration(timeoutMs)}`;
  return new KubeError("Unavailable", message, { ...call, status: 0, cause });
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === "AbortError") return "the call was given up";
  // A connection that was tried at several addresses has no message of its own.
  const first = cause instanceof AggregateError ? cause.errors[0] : undefined;
  return first instanceof Error ? first.message : cause.message;
}
