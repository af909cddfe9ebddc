import type pg from "pg";
import { type ChainCheckResult, createChainCheck } from "./chain-check.ts";
import { readHead, readLastEntry, readNotedCheckpoint } from "./chain-heads.ts";
import type { ChainHead, ChainVerification, KnownHead } from "./chain-views.ts";
import { compareCheckpoints } from "./checkpoint-findings.ts";
import { FIRST_PREV_HASH } from "./entry-text.ts";
import { readChain } from "./read-chain.ts";
import { verificationSentence } from "./verification-sentence.ts";

export interface ChainToVerify {
  readonly chain: string;
  /** Heads that somebody keeps outside the database. What the database itself notes is compared as well. */
  readonly known?: readonly KnownHead[];
}

/**
 * Reads a chain from its first entry to its head and computes every hash here, not in the database. Memory does not grow
 * with the chain. Entries that are added meanwhile are not looked at.
 */
export async function verifyChain(
  pool: pg.Pool,
  { chain, known = [] }: ChainToVerify,
): Promise<ChainVerification> {
  const noted = await readNotedCheckpoint(pool, chain);
  const recorded = await readHead(pool, chain);
  const head = recorded ?? (await readLastEntry(pool, chain));
  const checkpoints = [...known, ...(noted === undefined || isKnown(noted, known) ? [] : [noted])];
  const { found, since, entries, ...checked } = await walk(pool, {
    chain,
    head,
    isRecorded: recorded !== undefined,
    keep: new Set(checkpoints.map(({ seq }) => seq)),
  });
  const compared = compareCheckpoints({
    ...checked,
    ...(recorded === undefined && head !== undefined ? withLostHead(checked, head) : {}),
    found,
    checkpoints,
    last: head?.seq ?? 0,
  });
  const intact = compared.breakCount === 0;
  const result = { chain, intact, entries, head, since, ...compared };
  return { ...result, sentence: verificationSentence(result) };
}

/** The note in the database is of the checkpoint that was read outside of it. */
function isKnown(noted: KnownHead, known: readonly KnownHead[]): boolean {
  return known.some(
    ({ seq, hash, place }) => seq === noted.seq && hash === noted.hash && place === noted.place,
  );
}

interface Walk {
  readonly chain: string;
  readonly head: ChainHead | undefined;
  /** False when the record of the head is gone and the last entry stands for it. */
  readonly isRecorded: boolean;
  /** Numbers whose hashes are kept. */
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

/** One look at both, since the chain may grow meanwhile: what stands after its head was put in past it. */
async function firstPastHead(pool: pg.Pool, chain: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ first: string | null }>(
    `SELECT min(seq) AS first FROM audit_entries
      WHERE chain = $1 AND seq > (SELECT seq FROM audit_chains WHERE chain = $1)`,
    [chain],
  );
  const first = rows[0]?.first ?? null;
  return first === null ? undefined : Number(first);
}

function withLostHead(
  { breaks, breakCount }: Pick<ChainCheckResult, "breaks" | "breakCount">,
  { seq }: ChainHead,
): Pick<ChainCheckResult, "breaks" | "breakCount"> {
  const sentence = `The record of the chain's head was removed: nothing here tells whether entry ${seq} was the last.`;
  return {
    breaks: [...breaks, { kind: "removed", from: seq, to: seq, sentence }],
    breakCount: breakCount + 1,
  };
}
