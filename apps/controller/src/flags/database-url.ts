import type { FlagValues } from "./definitions/all.ts";

/**
 * Returns why a text cannot be the address of the ledger's PostgreSQL, as a sentence that begins with where it was given. The
 * text itself is never shown, as it may contain a password.
 */
export function databaseUrlProblems(where: string, url: string): readonly string[] {
  if (url === "") return [];
  if (!/^postgres(ql)?:\/\//.test(url)) {
    return [
      `${where} is not the address of a PostgreSQL: it must begin with postgres:// or postgresql://.`,
    ];
  }
  if (URL.canParse(url)) return [];
  return [
    `${where} is not the address of a PostgreSQL: write postgresql://user:password@host:port/name, and escape # / ? @ [ ] in the password with percent signs.`,
  ];
}

/** Returns the database of `--database-url` or the environment; undefined if there is none. */
export function databaseUrlOf({
  flags,
}: {
  readonly flags: Pick<FlagValues, "database-url">;
}): string | undefined {
  const url = flags["database-url"] === "" ? process.env.DATABASE_URL : flags["database-url"];
  return url === undefined || url === "" ? undefined : url;
}

/** Reports whether Events of other components are recorded (`--watch-events`), which needs a ledger to read them from. */
export function watchesEvents(flags: Pick<FlagValues, "watch-events" | "database-url">): boolean {
  return flags["watch-events"] && databaseUrlOf({ flags }) !== undefined;
}
