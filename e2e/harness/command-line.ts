import { type ParseArgsConfig, parseArgs } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Values<Wanted extends Options> = ReturnType<
  typeof parseArgs<{ readonly options: Wanted }>
>["values"];

/** Parses the options of a suite's command; an unknown one prints the usage and exits with 2. */
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

/** Exits because of an invalid command line. */
export function misused(why: string, usage: string): never {
  console.error(`${why}\n${usage}`);
  process.exit(2);
}
