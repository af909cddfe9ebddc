/**
 * Returns a name or an id as one segment of a URL's path. All clients and links build their paths with it, as names and ids
 * come from clusters and clouds that may be hostile: `..` would lead to another path, and so would an empty name (a DELETE
 * without a name deletes the whole collection). Escaping alone does not help, since URL parsers treat `%2E` as a dot, so
 * these three are replaced by invalid names that lead nowhere.
 */
export function pathSegment(text: string): string {
  if (text === "") return "%20";
  return /^\.{1,2}$/.test(text)
    ? "%252E".repeat(text.length)
    : encodeURIComponent(text.toWellFormed());
}
