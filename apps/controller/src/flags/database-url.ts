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
