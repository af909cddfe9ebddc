import { messageOf } from "@cloudwright/core/model/values/message-of";
import type { Problem } from "../rules/problem.ts";

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The subject of an error: the plural for most, the kind for validation. */
export interface Subject {
  readonly group: string;
  readonly kind: string;
  readonly name?: string;
}

interface Verdict {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: StatusDetails;
  /** A token with which to continue a list inconsistently, after its own expired. */
  readonly continueToken?: string;
}

/** A refusal in the API server's words; `status()` is the Status object that is sent. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly verdict: Verdict;

  constructor(verdict: Verdict) {
    super(verdict.message);
    this.verdict = verdict;
  }

  get code(): number {
    return this.verdict.code;
  }

  status(): object {
    const { code, reason, message, details, continueToken } = this.verdict;
    return {
      kind: "Status",
      apiVersion: "v1",
      metadata: continueToken === undefined ? {} : { continue: continueToken },
      status: "Failure",
      message,
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }
}

export function badRequest(message: string): ApiError {
  return new ApiError({ code: 400, reason: "BadRequest", message });
}

export function unauthorized(): ApiError {
  return new ApiError({ code: 401, reason: "Unauthorized", message: "Unauthorized" });
}

export function forbidden(
  subject: Subject,
  why: string,
  causes?: readonly StatusCause[],
): ApiError {
  const named = subject.name === undefined ? "" : ` "${subject.name}"`;
  return new ApiError({
    code: 403,
    reason: "Forbidden",
    message: `${qualified(subject)}${named} is forbidden: ${why}`,
    details: { ...detailsOf(subject), ...(causes === undefined ? {} : { causes }) },
  });
}

export function notFound(subject: Subject): ApiError {
  return new ApiError({
    code: 404,
    reason: "NotFound",
    message: `${qualified(subject)} "${subject.name ?? ""}" not found`,
    details: detailsOf(subject),
  });
}

export function noSuchResource(): ApiError {
  return new ApiError({
    code: 404,
    reason: "NotFound",
    message: "the server could not find the requested resource",
    details: {},
  });
}

export function methodNotAllowed(): ApiError {
  return new ApiError({
    code: 405,
    reason: "MethodNotAllowed",
    message: "the server does not allow this method on the requested resource",
    details: {},
  });
}

const REPRESENTATIONS = "application/json, application/json;stream=watch";

export function notAcceptable(): ApiError {
  return new ApiError({
    code: 406,
    reason: "NotAcceptable",
    message: `406: Not Acceptable\n\nAvailable representations: ${REPRESENTATIONS}`,
    details: {},
  });
}

/** `isGoing`: the existing one is being deleted, so the name will become free. */
export function alreadyExists(subject: Subject, isGoing: boolean): ApiError {
  const why = isGoing ? "object is being deleted: " : "";
  return new ApiError({
    code: 409,
    reason: "AlreadyExists",
    message: `${why}${qualified(subject)} "${subject.name ?? ""}" already exists`,
    details: detailsOf(subject),
  });
}

export const OBJECT_MODIFIED =
  "the object has been modified; please apply your changes to the latest version and try again";

export function conflict(subject: Subject, why: string): ApiError {
  return new ApiError({
    code: 409,
    reason: "Conflict",
    message: `Operation cannot be fulfilled on ${qualified(subject)} "${subject.name ?? ""}": ${why}`,
    details: detailsOf(subject),
  });
}

export function expired(message: string, continueToken?: string): ApiError {
  return new ApiError({
    code: 410,
    reason: "Expired",
    message,
    ...(continueToken === undefined ? {} : { continueToken }),
  });
}

export function tooLarge(limit: number): ApiError {
  return new ApiError({
    code: 413,
    reason: "RequestEntityTooLarge",
    message: `Request entity too large: limit is ${limit}`,
  });
}

export function unsupportedMediaType(message = "415: Unsupported Media Type"): ApiError {
  return new ApiError({ code: 415, reason: "UnsupportedMediaType", message, details: {} });
}

export function unprocessablePatch(): ApiError {
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: "the server rejected our request due to an error in our request",
    details: {},
  });
}

export function invalid(subject: Subject, problems: readonly Problem[]): ApiError {
  const sentences = problems.map((problem) => `${problem.field}: ${problem.message}`);
  const [only] = sentences;
  const list = sentences.length === 1 ? only : `[${sentences.join(", ")}]`;
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `${qualified(subject)} "${subject.name ?? ""}" is invalid: ${list}`,
    details: { ...detailsOf(subject), causes: problems },
  });
}

export function internalError(message: string): ApiError {
  return new ApiError({ code: 500, message });
}

/** Returns an internal error, for anything unexpected. */
export function unexpected(error: unknown): ApiError {
  const message = messageOf(error);
  return new ApiError({
    code: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });
}

export function versionTooLarge(wanted: number, current: number): ApiError {
  return new ApiError({
    code: 504,
    reason: "Timeout",
    message: `Timeout: Too large resource version: ${wanted}, current: ${current}`,
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  });
}

function qualified(subject: Subject): string {
  return subject.group === "" ? subject.kind : `${subject.kind}.${subject.group}`;
}

function detailsOf(subject: Subject): StatusDetails {
  return {
    ...(subject.name === undefined || subject.name === "" ? {} : { name: subject.name }),
    ...(subject.group === "" ? {} : { group: subject.group }),
    ...(subject.kind === "" ? {} : { kind: subject.kind }),
  };
}
