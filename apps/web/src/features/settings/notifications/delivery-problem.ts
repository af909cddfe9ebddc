import { t, worded } from "@cloudwright/core/model/language/text";

/** Words why a message was not delivered: stored in English, translated for the reader unless it is the network's own message. */
export function deliveryProblem(kept: string): string {
  if (isKnown(kept)) return PROBLEMS[kept];
  for (const [pattern, word] of PATTERNS) {
    const [, ...values] = pattern.exec(kept) ?? [];
    if (values.length > 0) return word(...values);
  }
  return kept;
}

const PROBLEMS = worded({
  "Its user is disabled.": () => t`Its user is disabled.`,
  "Its user may no longer see this cluster.": () => t`Its user may no longer see this cluster.`,
  "The dashboard was ended.": () => t`The dashboard was ended.`,
  "It was encrypted with another CLOUDWRIGHT_AUTH_SECRET: enter the URL and make a new secret.":
    () =>
      t`It was encrypted with another CLOUDWRIGHT_AUTH_SECRET: enter the URL and create a new secret.`,
});

const PATTERNS: readonly (readonly [RegExp, (...values: readonly string[]) => string])[] = [
  [
    /^Given up after (\d+) attempts: (.+)$/,
    (attempts = "", problem = "") =>
      t`Given up after ${attempts} attempts: ${deliveryProblem(problem)}`,
  ],
  [/^The receiver answered (\d+)\.$/, (status = "") => t`The receiver answered ${status}.`],
  [
    /^The receiver answered (\d+): redirects are not followed\.$/,
    (status = "") => t`The receiver answered ${status}: redirects are not followed.`,
  ],
  [/^No answer within (\d+) s\.$/, (seconds = "") => t`No answer within ${seconds} s.`],
];

function isKnown(kept: string): kept is keyof typeof PROBLEMS {
  return Object.hasOwn(PROBLEMS, kept);
}
