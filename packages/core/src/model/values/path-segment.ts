/**
 * A name or an id as one segment of a URL's path. All clients and links build their paths with it, as names and ids come from
 * clusters and clouds that may be hostile: `..` would lead to another path, and so would nothing at all (a DELETE of no name
 * is one of the whole collection). Escaping alone does not help, since `%2E` is a dot to whoever parses a URL, so these
 * three become names that are none and lead nowhere.
 */
export function pathSegment(text: string): string {
  if (text === "") return "%20";
  return /^\.{1,2}$/.test(text)
    ? "%252E".repeat(text.length)
    : encodeURIComponent(text.toWellFormed());
}
