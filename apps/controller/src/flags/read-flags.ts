import { checkFlags } from "./check-flags.ts";
import { type ParsedFlags, parseFlags, readableValues } from "./parse-flags.ts";

/** Parses a command line and checks its values; refuses it with the problems of both at once (spec/00 §2). */
export function readFlags(args: readonly string[]): ParsedFlags {
  const parsed = parseFlags(args);
  switch (parsed.kind) {
    case "help":
    case "version":
      return parsed;
    case "refused":
      return { ...parsed, problems: [...parsed.problems, ...furtherProblems(args, parsed)] };
    case "run": {
      const problems = checkFlags(parsed.values);
      return problems.length > 0 ? { kind: "refused", problems } : parsed;
    }
  }
}

/** Leaves out problems that mention a flag that could not be read: they are only consequences. */
function furtherProblems(
  args: readonly string[],
  { problems }: { readonly problems: readonly string[] },
): readonly string[] {
  const unread = problems.flatMap((problem) => /^--[a-z0-9-]+/.exec(problem) ?? []);
  const isConsequence = (problem: string) =>
    unread.some((flag) => new RegExp(`${flag}(?![a-z0-9-])`).test(problem));
  return checkFlags(readableValues(args)).filter((problem) => !isConsequence(problem));
}
