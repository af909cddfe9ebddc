/** The bits of a key: with fewer, less is sent, but more seeds must be tried until no two of some thousand texts share a key. */
const KEY_BITS = 21;

/**
 * Returns a short key for a message, derived from its English text. The text is already in the code, and would otherwise be sent
 * a second time as the key of its translation. If two texts share a key, another seed separates them.
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
