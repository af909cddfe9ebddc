/** Characters of a key. */
export const KEY_LENGTH = 4;

/**
 * A short name of a message, by its English text. The text itself is in the code already, and would be sent a second time as the
 * name of its translation. Two texts may have one key; another seed parts them.
 */
export function messageKey(text: string, seed: number): string {
  const hash = hashOf(text, seed);
  const digits = Array.from({ length: KEY_LENGTH }, (_, at) => DIGITS[(hash >>> (at * 6)) & 63]);
  return digits.join("");
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** FNV-1a, with its upper bits folded into those that are used. */
function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash ^ (hash >>> 15);
}
