import { type ParseArgsConfig, parseArgs } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Values<Wanted extends Options> = ReturnType<
  typeof parseArgs<{ readonly options: Wanted }>
>["values"];

/** The options of a suite's command; an unknown one ends it with 2 and its usage. */
export function readCommandLine<const Wanted extends Options>(
  options: Wanted,
  usage: string,
): Values<Wanted> {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return misused(error instanceof Error ? error.message : String(error), usage);
  }
}

/** Ends the process: the command line is wrong. */
export function misused(why: string, usage: string): never {
  console.error(`${why}\n${usage}`);
  process.exit(2);
}
