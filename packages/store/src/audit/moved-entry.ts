import { type ChainedEntry, entryHash } from "./entry-text.ts";

const TRIES_MOST = 100_000;

/**
 * The number under which an entry hashes to what it says, so that it is known to have been written there; the nearest are
 * tried first. Undefined when there is none near: then it was changed, not moved.
 */
export function placeWrittenFor(entry: ChainedEntry, last: number): number | undefined {
  const farthest = Math.min(TRIES_MOST / 2, Math.max(entry.seq - 1, last - entry.seq));
  for (let distance = 1; distance <= farthest; distance++) {
    for (const seq of [entry.seq - distance, entry.seq + distance]) {
      if (seq >= 1 && seq <= last && entryHash({ ...entry, seq }) === entry.hash) return seq;
    }
  }
  return undefined;
}
