/**
 * JSON text that PostgreSQL's jsonb takes: it has no NUL, and no half of a surrogate pair. A cloud's message may hold
 * either; the one is left out, the other becomes the replacement character.
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!SUSPECT.test(text)) return text;
  return text.replaceAll(ESCAPE, (_match, backslashes: string, digits: string) =>
    digits === "0000" ? backslashes : `${backslashes}\\ufffd`,
  );
}

/** JSON.stringify escapes a surrogate only when its other half is missing. */
const SUSPECT = /\\u(?:0000|d[89a-f])/;
/** An escape, and not the end of an escaped backslash that happens to be followed by these letters. */
const ESCAPE = /(?<!\\)((?:\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})/g;
