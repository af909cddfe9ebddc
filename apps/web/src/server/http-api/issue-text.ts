import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** Returns what is wrong with a parameter, as the end of a sentence that begins with its name. */
export function issueText(issue: Issue | undefined): string {
  switch (issue?.code) {
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    case "invalid_format":
      return issue.format === "uuid" ? "must be a UUID" : otherwise(issue);
    default:
      return otherwise(issue);
  }
}

function tooSmall({ origin, minimum, inclusive }: Extract<Issue, { code: "too_small" }>): string {
  if (origin === "string") return `must have at least ${characters(minimum)}`;
  return inclusive === false ? `must be more than ${minimum}` : `must be ${minimum} or more`;
}

function tooBig({ origin, maximum, inclusive }: Extract<Issue, { code: "too_big" }>): string {
  if (origin === "string") return `must have at most ${characters(maximum)}`;
  if (origin === "array") return `may be given at most ${maximum} times`;
  return inclusive === false ? `must be less than ${maximum}` : `must be ${maximum} or less`;
}

function characters(count: number | bigint): string {
  return count === 1 ? "1 character" : `${count} characters`;
}

function otherwise(issue: Issue | undefined): string {
  const message = issue?.message ?? "it cannot be used";
  return `is not valid: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}
