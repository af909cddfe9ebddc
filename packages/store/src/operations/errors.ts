import { englishOf } from "@cloudwright/core/model/language/text";

const OPERATION_ERROR_CODES = [
  "NotFound",
  "Forbidden",
  "Conflict",
  "Invalid",
  "Precondition",
  "Limit",
] as const;
export type OperationErrorCode = (typeof OPERATION_ERROR_CODES)[number];

/**
 * An error of a user's request (EXAMPLES.md section 7), as one sentence for that user. `message` is in English, for the audit record, the
 * log and the terminal; `sentence` is in the language that is current when it is called. Check it with `isOperationError`, not
 * `instanceof`: bundles may hold several copies of this class.
 */
export class OperationError extends Error {
  readonly code: OperationErrorCode;
  readonly sentence: () => string;

  constructor(code: OperationErrorCode, sentence: () => string, options?: ErrorOptions) {
    super(englishOf(sentence), options);
    this.name = "OperationError";
    this.code = code;
    this.sentence = sentence;
  }
}

export function isOperationError(error: unknown): error is OperationError {
  return error instanceof Error && error.name === "OperationError" && "code" in error;
}

/** Throws the error of this code if the check finds a problem; the check is repeated for each language. */
export function requireNoProblem(code: OperationErrorCode, check: () => string | undefined): void {
  if (check() !== undefined) throw new OperationError(code, () => check() ?? "");
}
