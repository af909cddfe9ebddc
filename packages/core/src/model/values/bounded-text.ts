/** The longest text of somebody else's that a message, a log field or an Event carries, UTF-16 units. */
export const LONGEST_MESSAGE = 4_096;
/** The longest text that a record keeps in one field, UTF-16 units. */
export const LONGEST_FIELD = 65_536;

/**
 * The beginning of a text from outside, at most `most` UTF-16 units with the note of what is left out; a text that fits is
 * answered as it is, so bounding twice changes nothing. Never ends in half of a surrogate pair.
 */
export function boundedText(text: string, most: number = LONGEST_MESSAGE): string {
  if (text.length <= most) return text;
  const kept = startOf(text, Math.max(0, most - LONGEST_NOTE));
  return kept + omissionNote(text.length - kept.length);
}

/** The first UTF-16 units of a text, one less where that would leave half of a surrogate pair. */
export function startOf(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most);
}

/** Says at the end of a text how many UTF-16 units were left out. */
export function omissionNote(omitted: number): string {
  return `… (${omitted} more characters)`;
}

/** Room for the note about any length that a string can have. */
export const LONGEST_NOTE = omissionNote(Number.MAX_SAFE_INTEGER).length;

/**
 * Characters that are not seen and that change how the text around them is shown or read: controls except tab and line ends,
 * marks of writing direction, invisible blanks, and line separators that terminals and spreadsheets take for ends of lines. The
 * joiners that scripts and emoji need (U+200C, U+200D) are not among them.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A text as it may be shown: each unseen character stands there as its escape, such as `\u202e`. JSON text stays JSON of the same
 * value, so that this may also be done to a whole line of it.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u${codeOf(character)}`);
}

/** The same for every text within plain data, whatever its depth; data without such characters is answered as it is. */
export function visibleData(value: unknown): unknown {
  if (isVisible(value)) return value;
  if (typeof value === "string") return visibleText(value);
  if (Array.isArray(value)) return value.map(visibleData);
  const entries = Object.entries(value as object);
  return Object.fromEntries(entries.map(([key, item]) => [visibleText(key), visibleData(item)]));
}

/** Nearly all data is: looking at it takes half the time of making it anew. */
function isVisible(value: unknown): boolean {
  if (typeof value === "string") return value.search(UNSEEN) < 0;
  if (Array.isArray(value)) return value.every(isVisible);
  if (!isPlainObject(value)) return true;
  return Object.keys(value).every((key) => isVisible(key) && isVisible(value[key]));
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
