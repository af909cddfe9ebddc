import { RE2JS } from "re2js";

/**
 * The names that `floating-subnet` means: a glob, or a regular expression behind `~`; a leading `!` negates either (spec §6.7).
 * Undefined: it is not a regular expression. Whoever may write a Service may write one, so it is matched in linear time, and it is
 * spelled as for upstream, which has the same syntax.
 */
export function readSubnetPattern(pattern: string): ((name: string) => boolean) | undefined {
  const isNegated = pattern.startsWith("!");
  const positive = isNegated ? pattern.slice(1) : pattern;
  const isExpression = positive.startsWith("~");
  const compiled = compile(isExpression ? positive.slice(1) : globSource(positive));
  return compiled === undefined ? undefined : (name) => compiled.test(name) !== isNegated;
}

function compile(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source);
  } catch {
    return undefined;
  }
}

function globSource(glob: string): string {
  const escaped = RE2JS.quote(glob).replaceAll("\\*", ".*").replaceAll("\\?", ".");
  return `^${escaped}$`;
}
