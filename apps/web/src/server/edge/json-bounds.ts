export interface JsonBounds {
  /** Of lists and objects within each other. */
  readonly depth: number;
  /** Of all objects together. */
  readonly members: number;
}

/**
 * Whether a text, which is JSON or is to be refused, keeps to these bounds. One pass without recursion and without an object:
 * a parser's own would be what such a text is made for.
 */
export function isWithinBounds(text: string, most: JsonBounds): boolean {
  let depth = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfQuoted(text, at);
    else if (char === COLON) members += 1;
    else depth += STEPS.get(char) ?? 0;
    if (depth > most.depth || members > most.members) return false;
  }
  return true;
}

const QUOTE = 0x22;
const COLON = 0x3a;
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
