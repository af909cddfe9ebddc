/**
 * Returns JSON text that PostgreSQL's jsonb accepts: without NUL or lone surrogates. A cloud's message may hold either; NUL is left out, a
 * lone surrogate becomes the replacement character.
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
/** Matches an escape, but not the end of an escaped backslash that these letters happen to follow. */
const ESCAPE = /(?<!\\)((?:\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})/g;
