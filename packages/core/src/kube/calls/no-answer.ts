import { formatDuration } from "../../model/language/duration.ts";
import { type KubeCallRef, KubeError } from "../errors.ts";

/** Returns the error of a call without an answer: the network failed, the deadline passed, or the caller gave up. */
export function noAnswer(
  cause: unknown,
  call: KubeCallRef,
  { timeoutMs }: { readonly timeoutMs?: number },
): KubeError {
  const message =
    timeoutMs === undefined
      ? `no complete answer arrived: ${describe(cause)}`
      : `no complete answer arrived within ${formatDuration(timeoutMs)}`;
  return new KubeError("Unavailable", message, { ...call, status: 0, cause });
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === "AbortError") return "the call was abandoned";
  // A connection that was tried at several addresses has no message of its own.
  const first = cause instanceof AggregateError ? cause.errors[0] : undefined;
  return first instanceof Error ? first.message : cause.message;
}
