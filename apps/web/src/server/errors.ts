import { t } from "@cloudwright/core/model/language/text";
import { isOperationError, type OperationErrorCode } from "@cloudwright/store/operations/errors";
import { TRPCError } from "@trpc/server";
import { log } from "./log.ts";

const CODES: Record<OperationErrorCode, TRPCError["code"]> = {
  NotFound: "NOT_FOUND",
  Forbidden: "FORBIDDEN",
  Conflict: "CONFLICT",
  Invalid: "BAD_REQUEST",
  Precondition: "PRECONDITION_FAILED",
  Limit: "TOO_MANY_REQUESTS",
};

const hidden = () =>
  t`The dashboard failed to answer; the details are in its log under this request.`;
export const noLedger = () => t`The dashboard cannot reach its database.`;
const UNREACHABLE = new Set([
  "SESSION_LOOKUP_FAILED",
  "DATABASE_SILENT",
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "ETIMEDOUT",
  "57P01",
  "57P03",
  "P1001",
  "P1002",
  "P1017",
]);

/** The session could not be looked up. The session library reports this only when its query failed. */
export class SessionLookupError extends Error {
  readonly code = "SESSION_LOOKUP_FAILED";

  constructor(cause: unknown) {
    super("The session could not be looked up in the database.", { cause });
    this.name = "SessionLookupError";
  }
}

/** Converts an error for the page: an operation's own sentence, or a general one with the request id to look for in the log. */
export function toTrpcError(
  error: TRPCError,
  call: { readonly requestId: string; readonly path: string },
): TRPCError {
  const { cause } = error;
  if (isOperationError(cause)) {
    return new TRPCError({ code: CODES[cause.code], message: cause.sentence(), cause });
  }
  if (error.code !== "INTERNAL_SERVER_ERROR") return error;
  if (isUnusable(cause)) return new TRPCError({ code: "BAD_REQUEST", message: unusable() });
  log.error("A request failed", { ...call, error: messageOf(cause ?? error) });
  return isUnreachable(cause)
    ? new TRPCError({ code: "SERVICE_UNAVAILABLE", message: noLedger() })
    : new TRPCError({ code: "INTERNAL_SERVER_ERROR", message: hidden() });
}

/** Reports whether the database could not be reached at all, however deeply the driver has wrapped the error. */
export function isUnreachable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 5) return false;
  if ("code" in error && typeof error.code === "string" && UNREACHABLE.has(error.code)) return true;
  if (
    /can't reach database|connection (terminated|timeout)|timeout exceeded/i.test(error.message)
  ) {
    return true;
  }
  const inner = error instanceof AggregateError ? error.errors : [error.cause];
  return inner.some((cause) => isUnreachable(cause, depth + 1));
}

const unusable = () =>
  t`The request has a value that cannot be used here, such as an invalid time.`;
/** PostgreSQL's error class for bad values: out of range, or of the wrong type. */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;

/** Reports whether the database rejected a value, however deeply the driver has wrapped the error. */
function isUnusable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 5) return false;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === "string" && DATA_EXCEPTION.test(code)) return true;
  return isUnusable(error.cause, depth + 1);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
