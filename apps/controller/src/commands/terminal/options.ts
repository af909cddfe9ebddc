import { InvalidArgumentError, Option } from "commander";
import { duration, type FlagKind, FlagProblem } from "../../flags/kinds.ts";

/** Creates an option with a duration as its default, given in milliseconds and shown in the help as a user would write it. */
export function durationOption(flags: string, help: string, defaultMs: number): Option {
  return new Option(flags, help)
    .argParser(option(duration))
    .default(defaultMs, shortDuration(defaultMs));
}

/** Formats a duration as `15m` or `40s`: Go's format without the parts that are zero. */
function shortDuration(ms: number): string {
  return duration
    .format(ms)
    .replace(/(?<=[hm])0s$/, "")
    .replace(/(?<=h)0m$/, "");
}

/** Turns a flag kind into a parser for commander's options. */
export function option<Value>(kind: FlagKind<Value>): (text: string) => Value {
  return (text) => {
    try {
      return kind.parse(text);
    } catch (error) {
      if (error instanceof FlagProblem) throw new InvalidArgumentError(`It ${error.message}.`);
      throw error;
    }
  };
}
