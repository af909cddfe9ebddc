export const KEY_LENGTH = 6;

/**
 * The name of a message in catalogs: a hash of its English text. A page loads hundreds of messages, and the English texts would be
 * half of what it loads. That no two messages have one key is tested where the catalogs are (apps/web, server/language).
 */
export function messageKey(text: string): string {
  const digits = (fnv(text) % 36 ** KEY_LENGTH).toString(36);
  return digits.padStart(KEY_LENGTH, "0");
}

/** A catalog out of translations by their English texts. */
export function byKey(
  translations: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(translations).map(([text, translation]) => [messageKey(text), translation]),
  );
}

/** FNV-1a of its UTF-16 code units, in 32 bits. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
