/**
 * Whether lists and objects stand within each other deeper than `most`, in a text that is JSON or is to be refused. One
 * pass without recursion: a parser's own would be what such a text is made for.
 */
export function isDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfQuoted(text, at);
    else depth += STEPS.get(char) ?? 0;
    if (depth > most) return true;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const STEPS: ReadonlyMap<number, number> = new Map([
  [0x5b, 1],
  [0x7b, 1],
  [0x5d, -1],
  [0x7d, -1],
]);

/** Where the quoted text that begins at `from` ends; the end of the whole where it does not. */
function endOfQuoted(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at;
    if (char === BACKSLASH) at += 1;
  }
  return text.length;
}
