/** The longest foreign text in a message, a log field or an Event, in UTF-16 units. */
export const LONGEST_MESSAGE = 4_096;
/** The longest text in one field of a record, in UTF-16 units. */
export const LONGEST_FIELD = 65_536;

/**
 * Returns the beginning of a text from outside, at most `most` UTF-16 units including the note about the omission. A text
 * that fits is returned unchanged, so bounding twice changes nothing. The result never ends in half of a surrogate pair.
 */
export function boundedText(text: string, most: number = LONGEST_MESSAGE): string {
  if (text.length <= most) return text;
  const kept = startOf(text, Math.max(0, most - LONGEST_NOTE));
  return kept + omissionNote(text.length - kept.length);
}

/** Returns the first UTF-16 units of a text, one less if that would leave half of a surrogate pair. */
export function startOf(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most);
}

/** Returns the note at the end of a text about how many UTF-16 units were omitted. */
export function omissionNote(omitted: number): string {
  return `… (${omitted} more characters)`;
}

/** Room for the note about any possible length of a string. */
export const LONGEST_NOTE = omissionNote(Number.MAX_SAFE_INTEGER).length;

/**
 * Invisible characters that change how the text around them is shown or read: controls except tab and line ends, marks of
 * writing direction, invisible spaces, and line separators that terminals and spreadsheets treat as line ends. The joiners that
 * scripts and emoji need (U+200C, U+200D) are not included.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;
const ALL_UNSEEN = new RegExp(UNSEEN, "g");

/**
 * Returns a text for display, with each invisible character as its escape, such as `\u202e`. JSON text stays JSON of the same
 * value, so that this also works on a whole line of it.
 */
export function visibleText(text: string): string {
  return text.replace(ALL_UNSEEN, (character) => `\\u${codeOf(character)}`);
}

/** Does the same for every text within plain data, at any depth; data without such characters is returned unchanged. */
export function visibleData(value: unknown): unknown {
  if (isVisible(value)) return value;
  if (typeof value === "string") return visibleText(value);
  if (Array.isArray(value)) return value.map(visibleData);
  const entries = Object.entries(value as object);
  return Object.fromEntries(entries.map(([key, item]) => [visibleText(key), visibleData(item)]));
}

/** Nearly all data is. An answer may have a hundred thousand members, so checking it has to be cheap. */
function isVisible(value: unknown): boolean {
  if (typeof value === "string") return !UNSEEN.test(value);
  if (Array.isArray(value)) return value.every(isVisible);
  if (!isPlainObject(value)) return true;
  for (const key in value) if (!isVisible(key) || !isVisible(value[key])) return false;
  return true;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
