import { t, worded } from "@cloudwright/core/model/language/text";
import { z } from "zod/mini";

export interface Problem {
  readonly sentence: string;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly advice: string;
}

const answeredSchema = z.object({
  message: z.string(),
  data: z.object({ code: z.string(), requestId: z.optional(z.string()) }),
});

/** An error in an answer of the API. */
export type AnsweredError = z.infer<typeof answeredSchema>;

const ADVICE: Readonly<Record<string, string>> = worded({
  UNAUTHORIZED: () => t`Sign in again: npx cloudwright sign-in-link prints a new link.`,
  FORBIDDEN: () => t`Ask an admin for the role that it needs.`,
  NOT_FOUND: () => t`Go back to the list and look for it there.`,
  BAD_REQUEST: () => t`Go back to the list and clear the filter.`,
  PRECONDITION_FAILED: () => t`Check what has changed in the meantime and decide again.`,
  TOO_MANY_REQUESTS: () => t`Wait a minute and try again.`,
});

/** Describes what went wrong with a request; each kind of failure has its own advice. */
export function problemOf(error: unknown): Problem {
  const answered = answeredSchema.safeParse(error);
  if (!answered.success) {
    return {
      sentence: t`The dashboard's server did not answer.`,
      code: "NO_ANSWER",
      requestId: undefined,
      advice: t`Check that the dashboard is running. This page tries again by itself.`,
    };
  }
  const { message, data } = answered.data;
  return {
    sentence: message,
    code: data.code,
    requestId: data.requestId,
    advice: ADVICE[data.code] ?? t`The cluster is not affected by this. Try again in a moment.`,
  };
}

/**
 * Explains why a requested change was not made. A refusal itself says what to do; if the answer was lost, nobody knows whether the change
 * was made.
 */
export function changeProblem(error: unknown): string {
  const { sentence, code, advice } = problemOf(error);
  switch (code) {
    case "NO_ANSWER":
      return t`${sentence} The change may have been made: reload the page to see, then try again.`;
    case "UNAUTHORIZED":
      return `${sentence} ${advice}`;
    case "SERVICE_UNAVAILABLE":
    case "INTERNAL_SERVER_ERROR":
      return t`${sentence} Try again in a moment.`;
    default:
      return sentence;
  }
}

export function isNotFound(error: unknown): boolean {
  return problemOf(error).code === "NOT_FOUND";
}
