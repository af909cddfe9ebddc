/** Reads a comma-separated parameter against its allowed values; other values are reported, not guessed. */
export function readChoices<Value extends string>(
  text: string | null,
  allowed: readonly Value[],
): { readonly values: readonly Value[]; readonly dropped: readonly string[] } {
  const words = (text ?? "").split(",").filter((word) => word !== "");
  const known = (word: string): Value | undefined => allowed.find((value) => value === word);
  return {
    values: allowed.filter((value) => words.includes(value)),
    dropped: words.filter((word) => known(word) === undefined),
  };
}

/** Reads `name` or `-name` (descending). */
export function readSort<By extends string>(
  text: string | null,
  allowed: readonly By[],
): { readonly by: By; readonly descending: boolean } | undefined {
  if (text === null) return undefined;
  const descending = text.startsWith("-");
  const by = allowed.find((value) => value === text.slice(descending ? 1 : 0));
  return by === undefined ? undefined : { by, descending };
}

/** Reads an optional text; an empty one counts as absent. */
export function readText(text: string | null): string | undefined {
  return text === null || text === "" ? undefined : text;
}

/** Returns the query string of a view without empty parameters, so that the default view has the plain address. */
export function writeParams(parameters: Readonly<Record<string, string | undefined>>): string {
  const written = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`);
  return written.length === 0 ? "" : `?${written.join("&")}`;
}
