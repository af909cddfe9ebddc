import { InvalidArgumentError } from "commander";
import { type FlagKind, FlagProblem } from "./flags/kinds.ts";

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
