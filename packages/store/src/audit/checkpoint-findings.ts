import type { ChainBreak, ChainVerification, KnownHead, Stretch } from "../views/chains.ts";
import type { ChainCheckResult } from "./chain-check.ts";

export interface WalkedChain extends Omit<ChainCheckResult, "entries"> {
  readonly checkpoints: readonly KnownHead[];
  /** The hashes of the entries at the checkpoints' numbers. */
  readonly found: ReadonlyMap<number, string>;
  /** The number of the last entry. */
  readonly last: number;
}

export type Compared = Pick<
  ChainVerification,
  "breakCount" | "breaks" | "proven" | "checkpoints" | "anchoredTo" | "notAnchored"
>;

/**
 * Compares a chain with the heads that were recorded elsewhere. Only they can show that the whole chain was replaced or cut, since whoever
 * can do that can recompute every hash.
 */
export function compareCheckpoints(walked: WalkedChain): Compared {
  const { found, last } = walked;
  const checkpoints = walked.checkpoints.map((one) => ({
    ...one,
    matches: one.seq === 0 || found.get(one.seq) === one.hash,
  }));
  const held = checkpoints.filter(({ matches }) => matches).map(({ seq }) => seq);
  const failed = checkpoints
    .filter(({ matches }) => !matches)
    .toSorted((left, right) => left.seq - right.seq);
  const rewritten = failed.find(({ seq }) => found.has(seq));
  const from = anchored(held.filter((seq) => seq < (rewritten?.seq ?? 0))).anchoredTo + 1;
  const whole = walked.proven
    .map((stretch) =>
      rewritten === undefined ? stretch : { ...stretch, to: Math.min(stretch.to, from - 1) },
    )
    .filter((stretch) => stretch.from <= stretch.to);
  const more = [
    ...(rewritten === undefined ? [] : [rewrittenBreak(rewritten, { from, to: last })]),
    ...cutBreaks(failed, last),
  ];
  const headHolds = failed.length === 0;
  const isBound = ({ from: start, to }: Omit<Stretch, "bound">) =>
    (headHolds && to === last) || held.some((seq) => seq >= start && seq <= to);
  return {
    breaks: [...walked.breaks, ...more],
    breakCount: walked.breakCount + more.length,
    proven: whole.map((stretch) => ({ ...stretch, bound: isBound(stretch) })),
    checkpoints: worthNaming(checkpoints),
    ...anchored(held, last),
  };
}

function anchored(held: readonly number[], last = 0) {
  const anchoredTo = held.reduce((newest, seq) => Math.max(newest, seq), 0);
  return { anchoredTo, notAnchored: Math.max(0, last - anchoredTo) };
}

/** Limits the heads of an anchor, of which there may be very many: the newest match and the first mismatches stand for all. */
function worthNaming(checkpoints: ChainVerification["checkpoints"]) {
  const anchors = checkpoints.filter(({ copy }) => copy === "anchor");
  const newest = anchors
    .filter(({ matches }) => matches)
    .reduce<(typeof anchors)[number] | undefined>(
      (best, one) => (best === undefined || one.seq >= best.seq ? one : best),
      undefined,
    );
  const failed = anchors.filter(({ matches }) => !matches).slice(0, FAILED_MOST);
  return checkpoints.filter(
    (one) => one.copy !== "anchor" || one === newest || failed.includes(one),
  );
}

const FAILED_MOST = 3;

function rewrittenBreak(
  checkpoint: KnownHead,
  range: { readonly from: number; readonly to: number },
): ChainBreak {
  const sentence = `Entry ${checkpoint.seq} is not the one that ${named(checkpoint)} names: entries from ${range.from} on were replaced and rehashed.`;
  return { kind: "rewritten", ...range, sentence };
}

/** Returns a break when the chain ends before an entry that is known to have existed. */
function cutBreaks(failed: readonly KnownHead[], last: number): readonly ChainBreak[] {
  const farthest = failed.at(-1);
  if (farthest === undefined || farthest.seq <= last) return [];
  const which =
    farthest.seq === last + 1
      ? `Entry ${farthest.seq} was`
      : `Entries ${last + 1} to ${farthest.seq} were`;
  const sentence = `${which} removed: the chain ends at ${last}, and ${named(farthest)} names ${farthest.seq}.`;
  return [{ kind: "removed", from: last + 1, to: farthest.seq, sentence }];
}

function named({ at, place }: Pick<KnownHead, "at" | "place">): string {
  const time = new Date(at).toISOString();
  return `the checkpoint of ${time.slice(0, 10)} ${time.slice(11, 16)} UTC (${place})`;
}
