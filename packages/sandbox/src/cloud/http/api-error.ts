import type { z } from "zod";

/** The cloud's error codes with their usual status (spec/70, "Errors"). */
export const STATUS_OF_CODE = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  busy: 409,
  conflict: 409,
  quota_exceeded: 409,
  throttled: 429,
  internal: 500,
  unavailable: 503,
} as const;
export type ApiErrorCode = keyof typeof STATUS_OF_CODE;

/** Ends a request with `{error: {code, message, field?, requestId}}`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: string;
  readonly status: number;
  /** Whole seconds, sent as `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** The wrong field of the request: `listeners.0.port`. */
  readonly field: string | undefined;

  constructor(code: string, message: string, answer: ErrorAnswer) {
    super(message);
    this.code = code;
    this.status = answer.status;
    this.retryAfter = answer.retryAfter;
    this.field = answer.field;
  }
}

interface ErrorAnswer {
  readonly status: number;
  readonly retryAfter?: number | undefined;
  readonly field?: string;
}

export function apiError(code: ApiErrorCode, message: string): ApiError {
  return new ApiError(code, message, { status: STATUS_OF_CODE[code] });
}

/** `why` completes the sentence, without a full stop. */
export function invalidField(field: string, why: string): ApiError {
  const answer = { status: STATUS_OF_CODE.invalid, field };
  return new ApiError("invalid", `The field ${field} is not valid: ${why}.`, answer);
}

/** Parses input from outside; throws ApiError `invalid`, which names the first wrong field. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) {
    return parsed.data;
  }
  const issue = parsed.error.issues[0];
  const field = issue === undefined ? "body" : fieldOf(issue);
  throw invalidField(field, issue?.message ?? "unreadable");
}

function fieldOf(issue: z.core.$ZodIssue): string {
  const unknownKey = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = [...issue.path, ...unknownKey].map(String).join(".");
  return path === "" ? "body" : path;
}

/** Returns the code for a status when a fault names none. */
export function codeOfStatus(status: number): ApiErrorCode {
  switch (status) {
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
      return "not_found";
    case 409:
      return "conflict";
    case 429:
      return "throttled";
    case 503:
      return "unavailable";
    default:
      return status < 500 ? "invalid" : "internal";
  }
}
