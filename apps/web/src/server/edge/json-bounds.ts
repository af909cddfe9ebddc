export interface JsonBounds {
  /** Of nested lists and objects. */
  readonly depth: number;
  /** The total over all objects. */
  readonly members: number;
}

/**
 * Reports whether a text, which should be JSON, keeps within these bounds. It makes one pass without recursion and builds no objects,
 * because such a text is made to exhaust a parser.
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

/** Returns the end of the string literal that begins at `from`, or the end of the text if it is unterminated. */
function endOfQuoted(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at;
    if (char === BACKSLASH) at += 1;
  }
  return text.length;
}
