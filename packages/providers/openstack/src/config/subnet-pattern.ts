import { RE2JS } from "re2js";

/**
 * Parses `floating-subnet` as a filter of names: a glob, or a regular expression after `~`; a leading `!` negates either (spec
 * §6.7). Undefined for an invalid regular expression. Anyone who may write a Service may set one, so it is matched in linear
 * time, in RE2 syntax like upstream's.
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
