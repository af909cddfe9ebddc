import type pg from "pg";
import {
  firstPastHead,
  hasHead,
  readChain,
  readHead,
  readLastEntry,
  readNotedCheckpoint,
} from "../sql/chains.ts";
import type {
  ChainBreak,
  ChainHead,
  ChainVerification,
  KnownHead,
  NotedHead,
} from "../views/chains.ts";
import { createChainCheck } from "./chain-check.ts";
import { FIRST_PREV_HASH } from "./entry-text.ts";
import { verificationOf } from "./verification.ts";

export interface ChainToVerify {
  readonly chain: string;
  /** Heads that a user keeps outside the database. The database's own note is compared as well. */
  readonly known?: readonly KnownHead[];
  /** Where and when the chain's checkpoint was looked up outside the database, whether or not it existed. */
  readonly read?: { readonly place: string; readonly at: number } | undefined;
  /** Time of the verification, milliseconds since the epoch; now by default. */
  readonly now?: number;
}

/**
 * Reads a chain from its first entry to its head and computes every hash here, not in the database. Memory does not grow with the chain.
 * Entries that are added meanwhile are not verified.
 */
export async function verifyChain(
  pool: pg.Pool,
  { chain, known = [], read, now = Date.now() }: ChainToVerify,
): Promise<ChainVerification> {
  const noted = await readNotedCheckpoint(pool, chain);
  const recorded = await readHead(pool, chain);
  const head = recorded ?? (await readLastEntry(pool, chain));
  const checkpoints = [...known, ...copiesOf(noted, known)];
  const walked = await walk(pool, {
    chain,
    head,
    isRecorded: recorded !== undefined,
    keep: new Set(checkpoints.map(({ seq }) => seq)),
  });
  const lost = [
    ...(recorded === undefined ? await lostHead(pool, chain, head) : []),
    ...lostCheckpoint({ noted, known, read }),
  ];
  return verificationOf({
    ...{ ...walked, chain, head, lost, checkpoints },
    last: head?.seq ?? 0,
    verifiedAt: now,
  });
}

/** Returns the database's note, unless it is about the same checkpoint that was read outside the database. */
function copiesOf(noted: NotedHead | undefined, known: readonly KnownHead[]): readonly KnownHead[] {
  if (noted === undefined) return [];
  const isKnown = known.some(
    ({ seq, hash, place }) => seq === noted.seq && hash === noted.hash && place === noted.place,
  );
  return isKnown ? [] : [{ ...noted, copy: "database" }];
}

interface Walk {
  readonly chain: string;
  readonly head: ChainHead | undefined;
  /** False when the head's record is missing and the last entry stands for it. */
  readonly isRecorded: boolean;
  /** The numbers whose hashes are kept. */
  readonly keep: ReadonlySet<number>;
}

async function walk(pool: pg.Pool, { chain, head, isRecorded, keep }: Walk) {
  const check = createChainCheck({ head: head ?? { seq: 0, hash: FIRST_PREV_HASH } });
  const found = new Map<number, string>();
  let since: number | undefined;
  for await (const entry of readChain(pool, { chain, to: head?.seq ?? 0 })) {
    since ??= entry.at;
    if (keep.has(entry.seq)) found.set(entry.seq, entry.hash);
    check.take(entry);
  }
  const past = isRecorded ? await firstPastHead(pool, chain) : undefined;
  if (past !== undefined) {
    for await (const entry of readChain(pool, { chain, from: past })) check.take(entry);
  }
  return { found, since, ...check.end() };
}

/** Each chain has a head from its beginning, even without entries. */
async function lostHead(
  pool: pg.Pool,
  chain: string,
  last: ChainHead | undefined,
): Promise<readonly ChainBreak[]> {
  if (last !== undefined) {
    const sentence = `The record of the chain's head was removed, so it is unknown whether entry ${last.seq} was the last one.`;
    return [{ kind: "removed", from: last.seq, to: last.seq, sentence }];
  }
  if (await hasHead(pool, chain)) return [];
  const sentence = "The chain is missing: the record of its head was removed, and it has no entry.";
  return [{ kind: "removed", from: 0, to: 0, sentence }];
}

/** Reports that the leader noted a checkpoint at the place that was read, but that there is none. */
function lostCheckpoint({
  noted,
  known,
  read,
}: Pick<ChainToVerify, "read"> & {
  readonly noted: NotedHead | undefined;
  readonly known: readonly KnownHead[];
}): readonly ChainBreak[] {
  if (read === undefined || noted?.place !== read.place) return [];
  const isThere = known.some(({ place }) => place === read.place);
  // The leader may have written it after the read, and the two clocks may differ.
  if (isThere || noted.at > read.at - CLOCKS_DIFFER_MS) return [];
  const { seq, at } = noted;
  const time = `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const sentence = `The checkpoint in ${read.place} is missing: the leader wrote it at ${time} for entry ${seq}.`;
  return [{ kind: "removed", from: seq, to: seq, sentence }];
}

const CLOCKS_DIFFER_MS = 60_000;
