/** Bits of a key: the fewer, the less is sent, and the more seeds are tried until no two of some thousand texts have the same. */
const KEY_BITS = 21;

/**
 * A short name of a message, by its English text. The text itself is in the code already, and would be sent a second time as the
 * name of its translation. Two texts may have one key; another seed parts them.
 */
export function messageKey(text: string, seed: number): number {
  return hashOf(text, seed) & (2 ** KEY_BITS - 1);
}

/** FNV-1a, with its upper bits folded into those that are used. */
function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash ^ (hash >>> 15);
}
