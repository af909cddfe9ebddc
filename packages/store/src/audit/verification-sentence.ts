import type { ChainVerification } from "./chain-views.ts";

/** What was found, in one sentence; the first break stands for the others. */
export function verificationSentence(found: Omit<ChainVerification, "sentence">): string {
  const [first] = found.breaks;
  if (first === undefined) return intactSentence(found);
  if (found.breakCount === 1) return `The chain is broken. ${first.sentence}`;
  return `The chain is broken at ${found.breakCount} places. ${first.sentence}`;
}

function intactSentence({ entries, checkpoints }: Omit<ChainVerification, "sentence">): string {
  if (entries === 0) return "The chain has no entries yet.";
  const newest = checkpoints.toSorted((left, right) => right.seq - left.seq)[0];
  const held =
    newest === undefined
      ? "there is no checkpoint to compare them with"
      : `they hold the checkpoint at entry ${formatted(newest.seq)} (${newest.place})`;
  const count = entries === 1 ? "The one entry is" : `All ${formatted(entries)} entries are`;
  return `${count} as written, and ${held}.`;
}

function formatted(count: number): string {
  return count.toLocaleString("en-GB");
}
