import type { BreakKind, ChainBreak, Stretch } from "../views/chains.ts";

/** What is wrong with some entries, before it is put into words. */
export interface Finding {
  readonly kind: Exclude<BreakKind, "rewritten">;
  readonly from: number;
  readonly to: number;
  /** Of an entry that was moved: the number that it was written under. */
  readonly writtenAs?: number;
  /** The next entry, which tells on this one; one past the last for the head. */
  readonly chainedAs?: number;
  /** The head's number, for what comes after it. */
  readonly afterHead?: number;
  /** The number is there twice. */
  readonly twice?: boolean;
  /** What follows is chained to nothing that was there before. */
  readonly restarted?: boolean;
}

const NAMED_MOST = 10;

/** Gathers findings and the stretches between them; neighbours of one kind become one break. */
export function findingLog() {
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
    /** The entry before was counted as sound until the next one told on it; unless it was broken in itself. */
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

/** Only what is told in the same words is told at once. */
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
      : `${named(finding)} changed and hashed anew: what follows was chained to another one.`,
  removed: (finding) =>
    finding.restarted === true
      ? `The chain begins anew at number ${finding.from}: what bound it to the entries before was removed.`
      : `${named(finding)} removed: the chain has the ${finding.from === finding.to ? "number" : "numbers"}, but no entry.`,
  reordered: (finding) =>
    `${named(finding)} moved here: it was written as number ${finding.writtenAs}.`,
  added: (finding) => {
    if (finding.twice === true)
      return `Number ${finding.from} exists twice: one entry was inserted outside the chain.`;
    if (finding.afterHead !== undefined)
      return `${named(finding)} put in past the chain, whose last entry is ${finding.afterHead}.`;
    return `${named(finding)} put in past the chain: what follows was chained to the entry before.`;
  },
};

function named({ from, to }: Finding): string {
  return from === to ? `Entry ${from} was` : `Entries ${from} to ${to} were`;
}
