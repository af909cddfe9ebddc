import type { FlagValues } from "./definitions/all.ts";

/**
 * What keeps a text from being the address of the ledger's PostgreSQL, as a sentence that begins with where it was given. The
 * text itself is never shown, as it may hold a password.
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

/** The database of `--database-url` or the environment; undefined for none. */
export function databaseUrlOf({
  flags,
}: {
  readonly flags: Pick<FlagValues, "database-url">;
}): string | undefined {
  const url = flags["database-url"] === "" ? process.env.DATABASE_URL : flags["database-url"];
  return url === undefined || url === "" ? undefined : url;
}

/** Whether Events of other components are recorded (`--watch-events`): nobody would read them without a ledger. */
export function watchesEvents(flags: Pick<FlagValues, "watch-events" | "database-url">): boolean {
  return flags["watch-events"] && databaseUrlOf({ flags }) !== undefined;
}
