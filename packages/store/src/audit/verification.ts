import type { ChainBreak, ChainVerification, CheckpointCopy, KnownHead } from "../views/chains.ts";
import type { ChainCheckResult } from "./chain-check.ts";
import { compareCheckpoints, type WalkedChain } from "./checkpoint-findings.ts";

/** What was read from a chain, and what else is known to be missing from it. */
interface Read
  extends WalkedChain,
    Pick<ChainCheckResult, "entries">,
    Pick<ChainVerification, "chain" | "head" | "since" | "verifiedAt"> {
  readonly lost: readonly ChainBreak[];
}

/** Returns the verification of a chain that was read from its first entry to its last. */
export function verificationOf(read: Read): ChainVerification {
  const { chain, entries, head, since, verifiedAt, lost, ...walked } = read;
  const compared = compareCheckpoints({
    ...walked,
    breaks: [...walked.breaks, ...lost],
    breakCount: walked.breakCount + lost.length,
  });
  const intact = compared.breakCount === 0;
  const found = { chain, intact, entries, head, since, verifiedAt, ...compared };
  return { ...found, sentence: verificationSentence(found) };
}

/** Summarises the findings in a few words: the first break stands for the others. */
function verificationSentence(found: Omit<ChainVerification, "sentence">): string {
  const [first] = found.breaks;
  if (first === undefined) return intactSentence(found);
  if (found.breakCount === 1) return `The chain is broken. ${first.sentence}`;
  return `The chain is broken in ${found.breakCount} places. ${first.sentence}`;
}

function intactSentence(found: Omit<ChainVerification, "sentence">): string {
  const { entries, checkpoints, notAnchored, verifiedAt } = found;
  if (entries === 0) return "The chain has no entries yet.";
  const count = entries === 1 ? "The one entry is" : `All ${formatted(entries)} entries are`;
  const [newest] = checkpoints
    .filter(({ matches }) => matches)
    .toSorted((left, right) => right.seq - left.seq || rank(left) - rank(right));
  if (newest === undefined) {
    return `${count} as written, but there is no checkpoint to compare them with: none is anchored yet.`;
  }
  const rest =
    notAnchored === 0
      ? "no entry is newer"
      : `${notAnchored === 1 ? "1 newer entry is" : `${formatted(notAnchored)} newer entries are`} not yet anchored`;
  return `${count} as written, and up to entry ${formatted(newest.seq)} as ${copyText(newest, verifiedAt)} has them; ${rest}.`;
}

const COPIES: Record<CheckpointCopy, { readonly rank: number; readonly text: string }> = {
  configMap: { rank: 0, text: "the checkpoint in " },
  anchor: { rank: 1, text: "the anchor " },
  given: { rank: 2, text: "the checkpoint " },
  database: { rank: 3, text: "the database's own copy of the checkpoint in " },
};

function rank({ copy }: KnownHead): number {
  return COPIES[copy].rank;
}

/** Returns which copy of a checkpoint it is, and how old. */
function copyText({ copy, place, at }: KnownHead, nowMs: number): string {
  const age = copy === "given" ? "" : ` (${ageText(nowMs - at)} old)`;
  return `${COPIES[copy].text}${place}${age}`;
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
] as const;

function ageText(ms: number): string {
  const unit = UNITS.find(([, size]) => ms >= size);
  if (unit === undefined) return `${Math.max(0, Math.round(ms / 1_000))} s`;
  return `${Math.floor(ms / unit[1])} ${unit[0]}`;
}

function formatted(count: number): string {
  return count.toLocaleString("en-GB");
}
