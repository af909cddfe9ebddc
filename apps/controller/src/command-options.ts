import { InvalidArgumentError } from "commander";
import { type FlagKind, FlagProblem } from "./flags/kinds.ts";
import { PlainError } from "./plain-error.ts";

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

/** The database of `--database-url` or DATABASE_URL. Throws PlainError when there is none. */
export function requireDatabaseUrl(given: string | undefined): string {
  const url = given ?? process.env.DATABASE_URL ?? "";
  if (/^postgres(ql)?:\/\//.test(url)) return url;
  throw new PlainError(
    "No database is named: set DATABASE_URL or give --database-url=postgresql://user@host/name.",
  );
}

export const DATABASE_URL_OPTION = [
  "--database-url <url>",
  "PostgreSQL of the ledger; else the environment's DATABASE_URL",
] as const;
