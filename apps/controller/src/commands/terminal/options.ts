import { InvalidArgumentError, Option } from "commander";
import { duration, type FlagKind, FlagProblem } from "../../flags/kinds.ts";

/** A duration of so many milliseconds, as an option's default: the help shows it as a user would write it. */
export function durationOption(flags: string, help: string, defaultMs: number): Option {
  return new Option(flags, help)
    .argParser(option(duration))
    .default(defaultMs, shortDuration(defaultMs));
}

/** `15m`, `40s`: Go's form without the parts that are zero. */
function shortDuration(ms: number): string {
  return duration
    .format(ms)
    .replace(/(?<=[hm])0s$/, "")
    .replace(/(?<=h)0m$/, "");
}

/** A flag kind as a parser of commander's options. */
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
