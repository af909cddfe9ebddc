import type { BreakKind, ChainBreak, Stretch } from "../views/chains.ts";
import { type ChainedEntry, entryHash, FIRST_PREV_HASH } from "./entry-text.ts";

export interface ChainCheckResult {
  readonly entries: number;
  readonly breakCount: number;
  readonly breaks: readonly ChainBreak[];
  readonly proven: readonly Omit<Stretch, "bound">[];
}

/** A place in the chain, by number and hash. */
export interface ChainPlace {
  readonly seq: number;
  readonly hash: string;
}

export interface ChainEnds {
  /** The place before the first entry of a part of a chain; undefined for a whole chain. */
  readonly before?: ChainPlace;
  /** The last entry; without a hash when none is recorded. */
  readonly head: Pick<ChainPlace, "seq"> & Partial<ChainPlace>;
  /** For a selection of entries, in which numbers may be missing. */
  readonly isSelection?: boolean;
}

/** Limit on searches, as finding where an entry was written takes up to 0.5 s. */
const SEARCHES_MOST = 10;

/**
 * Follows a chain entry by entry, by number. Each entry must match its hash and be chained to the one before it. Keeps only the last places
 * and the breaks, however long the chain is.
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
  /** Reports what is wrong when an entry was not chained to the one that stands before it now. */
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

const TRIES_MOST = 100_000;

/**
 * Returns the number under which an entry matches its hash, which proves that it was written there; tries the nearest first. Undefined when
 * no near number matches: then the entry was changed, not moved.
 */
function placeWrittenFor(entry: ChainedEntry, last: number): number | undefined {
  const farthest = Math.min(TRIES_MOST / 2, Math.max(entry.seq - 1, last - entry.seq));
  for (let distance = 1; distance <= farthest; distance++) {
    for (const seq of [entry.seq - distance, entry.seq + distance]) {
      if (seq >= 1 && seq <= last && entryHash({ ...entry, seq }) === entry.hash) return seq;
    }
  }
  return undefined;
}

/** A finding about some entries, before it is put into words. */
export interface Finding {
  readonly kind: Exclude<BreakKind, "rewritten">;
  readonly from: number;
  readonly to: number;
  /** For an entry that was moved: the number under which it was written. */
  readonly writtenAs?: number;
  /** The next entry, which reveals the change; one past the last entry for the head. */
  readonly chainedAs?: number;
  /** The head's number, for entries after it. */
  readonly afterHead?: number;
  /** Whether the number occurs twice. */
  readonly twice?: boolean;
  /** Whether the next entry is chained to nothing that came before. */
  readonly restarted?: boolean;
}

const NAMED_MOST = 10;

/** Collects findings and the sound stretches between them; adjacent findings of one kind become one break. */
function findingLog() {
  const findings: Finding[] = [];
  const stretches: { from: number; to: number }[] = [];
  let count = 0;
  let last: Finding | undefined;
  let stretch: { from: number; to: number } | undefined;

  const endStretch = () => {
    if (stretch !== undefined && stretch.to >= stretch.from && stretches.length < NAMED_MOST) {
      stretches.push(stretch);
    }
    stretch = undefined;
  };
  const broken = (finding: Finding) => {
    endStretch();
    if (last !== undefined && continues(last, finding)) {
      last = { ...last, to: finding.to };
      if (count <= NAMED_MOST) findings[findings.length - 1] = last;
      return;
    }
    last = finding;
    count += 1;
    if (count <= NAMED_MOST) findings.push(finding);
  };
  return {
    sound(seq: number): void {
      if (stretch === undefined) stretch = { from: seq, to: seq };
      else stretch.to = seq;
    },
    broken,
    /** Corrects the entry before, which counted as sound until the next one revealed the change, unless it was itself broken. */
    previousBroken(finding: Finding): void {
      if (stretch?.to !== finding.to) return;
      stretch.to -= 1;
      broken(finding);
    },
    result(): {
      readonly breakCount: number;
      readonly breaks: readonly ChainBreak[];
      readonly proven: readonly Omit<Stretch, "bound">[];
    } {
      endStretch();
      return { breakCount: count, breaks: findings.map(chainBreak), proven: stretches };
    },
  };
}

/** Reports whether two findings have the same wording, so that they can be merged. */
function continues(earlier: Finding, later: Finding): boolean {
  return (
    earlier.kind === later.kind &&
    later.from === earlier.to + 1 &&
    [earlier, later].every(({ writtenAs, chainedAs, twice, restarted }) =>
      [writtenAs, chainedAs, twice, restarted].every((special) => special === undefined),
    )
  );
}

function chainBreak(finding: Finding): ChainBreak {
  const { kind, from, to } = finding;
  return { kind, from, to, sentence: SENTENCES[kind](finding) };
}

const SENTENCES: Record<Finding["kind"], (finding: Finding) => string> = {
  changed: (finding) =>
    finding.chainedAs === undefined
      ? `${named(finding)} changed: the contents are not those that were hashed.`
      : `${named(finding)} changed and rehashed: the entries after it were chained to another one.`,
  removed: (finding) =>
    finding.restarted === true
      ? `The chain starts again at number ${finding.from}: what bound it to the entries before was removed.`
      : `${named(finding)} removed: the chain has the ${finding.from === finding.to ? "number" : "numbers"}, but no entry.`,
  reordered: (finding) =>
    `${named(finding)} moved here: it was written as number ${finding.writtenAs}.`,
  added: (finding) => {
    if (finding.twice === true)
      return `Number ${finding.from} exists twice: one entry was inserted outside the chain.`;
    if (finding.afterHead !== undefined)
      return `${named(finding)} inserted after the end of the chain, whose last entry is ${finding.afterHead}.`;
    return `${named(finding)} inserted into the chain: the entries after it were chained to the entry before.`;
  },
};

function named({ from, to }: Finding): string {
  return from === to ? `Entry ${from} was` : `Entries ${from} to ${to} were`;
}
