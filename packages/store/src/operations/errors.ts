export const OPERATION_ERROR_CODES = [
  "NotFound",
  "Forbidden",
  "Conflict",
  "Invalid",
  "Precondition",
  "Limit",
] as const;
export type OperationErrorCode = (typeof OPERATION_ERROR_CODES)[number];

/**
 * What a user's request can run into (EXAMPLES.md section 7). The message is one sentence for that person. Recognise it
 * by `isOperationError`, not by `instanceof`: bundles may hold several copies of this class.
 */
export class OperationError extends Error {
  readonly code: OperationErrorCode;

  constructor(code: OperationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OperationError";
    this.code = code;
  }
}

export function isOperationError(error: unknown): error is OperationError {
  return error instanceof Error && error.name === "OperationError" && "code" in error;
}
