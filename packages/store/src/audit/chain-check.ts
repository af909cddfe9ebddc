import type { ChainBreak, Stretch } from "../views/chains.ts";
import { type ChainedEntry, entryHash, FIRST_PREV_HASH } from "./entry-text.ts";
import { findingLog } from "./finding-log.ts";
import { placeWrittenFor } from "./moved-entry.ts";

export interface ChainCheckResult {
  readonly entries: number;
  readonly breakCount: number;
  readonly breaks: readonly ChainBreak[];
  readonly proven: readonly Omit<Stretch, "bound">[];
}

/** A place of the chain by number and hash. */
export interface ChainPlace {
  readonly seq: number;
  readonly hash: string;
}

export interface ChainEnds {
  /** What stands before the first entry of a part of a chain; of a whole chain nothing. */
  readonly before?: ChainPlace;
  /** The last entry; without a hash where nothing tells of it. */
  readonly head: Pick<ChainPlace, "seq"> & Partial<ChainPlace>;
  /** For a selection of entries, in which numbers may be missing. */
  readonly isSelection?: boolean;
}

/** Searching where an entry was written costs up to 0.5 s. */
const SEARCHES_MOST = 10;

/**
 * Follows a chain entry by entry, by number. Each entry must hash to what it says and be chained to the one before it. Keeps
 * no more than the last places and what is broken, whatever the chain's length.
 */
export function createChainCheck({ before, head, isSelection = false }: ChainEnds) {
  const log = findingLog();
  let previous: ChainPlace = before ?? { seq: 0, hash: FIRST_PREV_HASH };
  let hashBefore: string | undefined;
  let entries = 0;
  let searches = 0;

  const gapUpTo = (seq: number) => {
    if (isSelection || seq <= previous.seq + 1) return;
    log.broken({ kind: "removed", from: previous.seq + 1, to: seq - 1 });
  };
  const moveTo = (place: ChainPlace) => {
    hashBefore = previous.hash;
    previous = { seq: place.seq, hash: place.hash };
  };
  /** Says what is wrong when something was not chained to what stands before it now. */
  const checkLink = (next: { readonly seq: number; readonly prevHash: string }) => {
    const isFirst = previous.seq === (before?.seq ?? 0);
    if (next.prevHash === previous.hash) return;
    if (isFirst || next.prevHash === FIRST_PREV_HASH) {
      log.broken({ kind: "removed", from: next.seq, to: next.seq, restarted: true });
    } else {
      const kind = next.prevHash === hashBefore ? "added" : "changed";
      log.previousBroken({ kind, from: previous.seq, to: previous.seq, chainedAs: next.seq });
    }
  };
  const takeAltered = (entry: ChainedEntry) => {
    const isMoved = entry.prevHash !== previous.hash && searches < SEARCHES_MOST;
    if (isMoved) searches += 1;
    const place = isMoved ? placeWrittenFor(entry, head.seq) : undefined;
    const { seq } = entry;
    if (place === undefined) log.broken({ kind: "changed", from: seq, to: seq });
    else log.broken({ kind: "reordered", from: seq, to: seq, writtenAs: place });
  };
  const takeInOrder = (entry: ChainedEntry) => {
    const follows = entry.seq === previous.seq + 1;
    gapUpTo(entry.seq);
    if (entryHash(entry) !== entry.hash) {
      takeAltered(entry);
    } else {
      if (follows) checkLink(entry);
      log.sound(entry.seq);
    }
    moveTo(entry);
  };
  return {
    take(entry: ChainedEntry): void {
      entries += 1;
      const { seq } = entry;
      if (seq > head.seq) log.broken({ kind: "added", from: seq, to: seq, afterHead: head.seq });
      else if (seq > previous.seq) takeInOrder(entry);
      else log.broken({ kind: "added", from: seq, to: seq, twice: true });
    },
    end(): ChainCheckResult {
      gapUpTo(head.seq + 1);
      if (previous.seq === head.seq && entries > 0 && head.hash !== undefined) {
        checkLink({ seq: head.seq + 1, prevHash: head.hash });
      }
      return { entries, ...log.result() };
    },
  };
}
