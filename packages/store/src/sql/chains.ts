import type pg from "pg";
import type { ChainedEntry } from "../audit/entry-text.ts";
import type { ChainHead, NotedHead } from "../views/chains.ts";
import { AUDIT_ENTRIES, type AuditFilter } from "./audit-entries.ts";
import { conditionsOf } from "./lists/list.ts";
import { asIs, asNumber, asText, asTime, type StoredRow, storedColumns } from "./stored-json.ts";

/*
 * By hand: a chain is checked in one snapshot and by the text of its entries, so that their hashes can be recomputed; and controllers,
 * which keep checkpoints, avoid the 70 MiB of Prisma's query compiler.
 */

/** Returns the head of a chain; undefined while it has no entries. */
export async function readHead(pool: pg.Pool, chain: string): Promise<ChainHead | undefined> {
  return (await readHeads(pool, [chain])).get(chain);
}

/** Returns the heads of these chains, by chain; a chain without entries has none. */
export async function readHeads(
  pool: pg.Pool,
  chains: readonly string[],
): Promise<ReadonlyMap<string, ChainHead>> {
  const { rows } = await pool.query<StoredRow>(
    "SELECT chain, seq, hash, at FROM audit_chains WHERE chain = ANY($1::text[]) AND seq > 0",
    [chains],
  );
  return new Map(rows.map((row) => [String(row.chain), HEAD.read(row)]));
}

/** Reports whether the chain's head is recorded, even without entries: each chain has a head from its beginning. */
export async function hasHead(pool: pg.Pool, chain: string): Promise<boolean> {
  const { rowCount } = await pool.query("SELECT FROM audit_chains WHERE chain = $1", [chain]);
  return rowCount === 1;
}

/** Returns the entry with the highest number, for a chain whose head record is missing. */
export async function readLastEntry(pool: pg.Pool, chain: string): Promise<ChainHead | undefined> {
  const { rows } = await pool.query<StoredRow>(
    "SELECT seq, hash, at FROM audit_entries WHERE chain = $1 ORDER BY seq DESC LIMIT 1",
    [chain],
  );
  return rows[0] && HEAD.read(rows[0]);
}

/** Returns every chain that exists or should exist, accounts first. */
export async function listChains(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ chain: string }>(
    `SELECT chain FROM audit_chains UNION SELECT chain FROM audit_checkpoints UNION SELECT id FROM clusters
     UNION SELECT 'accounts' UNION SELECT DISTINCT chain FROM audit_entries ORDER BY chain`,
  );
  return rows.map((row) => row.chain).toSorted(accountsFirst);
}

/** Returns the database's note of the last checkpoint that was written outside of it. */
export async function readNotedCheckpoint(
  pool: pg.Pool,
  chain: string,
): Promise<NotedHead | undefined> {
  const { rows } = await pool.query<StoredRow>(
    "SELECT seq, hash, at, place FROM audit_checkpoints WHERE chain = $1",
    [chain],
  );
  return rows[0] && { ...HEAD.read(rows[0]), place: String(rows[0].place) };
}

/** Notes where a checkpoint was written, for the pages. */
export async function noteCheckpoint(
  pool: pg.Pool,
  chain: string,
  { seq, hash, at, place }: NotedHead,
): Promise<void> {
  await pool.query(
    `INSERT INTO audit_checkpoints (chain, seq, hash, at, place)
     VALUES ($1, $2, $3, to_timestamp($4::float8 / 1000), $5)
     ON CONFLICT (chain) DO UPDATE
       SET seq = EXCLUDED.seq, hash = EXCLUDED.hash, at = EXCLUDED.at, place = EXCLUDED.place`,
    [chain, seq, hash, at, place],
  );
}

/** Reports whether the chain still has that entry with that hash. */
export async function holds(
  pool: pg.Pool,
  chain: string,
  { seq, hash }: Pick<ChainHead, "seq" | "hash">,
): Promise<boolean> {
  if (seq === 0) return true;
  const { rowCount } = await pool.query(
    "SELECT FROM audit_entries WHERE chain = $1 AND seq = $2 AND hash = $3",
    [chain, seq, hash],
  );
  return rowCount === 1;
}

const HEAD = storedColumns({ seq: asNumber, hash: asText, at: asTime });

function accountsFirst(left: string, right: string): number {
  return Number(right === "accounts") - Number(left === "accounts");
}

/** Returns the number of the first entry past its chain's head. Both are read in one statement, since the chain may grow meanwhile. */
export async function firstPastHead(pool: pg.Pool, chain: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ first: string | null }>(
    `SELECT min(seq) AS first FROM audit_entries
      WHERE chain = $1 AND seq > (SELECT seq FROM audit_chains WHERE chain = $1)`,
    [chain],
  );
  const first = rows[0]?.first ?? null;
  return first === null ? undefined : Number(first);
}

export interface ChainPart {
  readonly chain: string;
  /** First number to read; the chain's first by default. */
  readonly from?: number;
  /** Last number to read; the chain's last by default. */
  readonly to?: number;
  /** A further condition on the entries. */
  readonly filter?: AuditFilter;
}

/** Returns the numbers of the first and the last entry of a part, and their count; undefined for an empty part. */
export async function readRange(
  pool: pg.Pool,
  part: ChainPart,
): Promise<{ readonly first: number; readonly last: number; readonly count: number } | undefined> {
  const { texts, values } = partConditions(part);
  const { rows } = await pool.query<{ first: string | null; last: string; count: string }>(
    `SELECT min(seq) AS first, max(seq) AS last, count(*) AS count FROM audit_entries WHERE ${texts.join(" AND ")}`,
    values,
  );
  const [row] = rows;
  if (row === undefined || row.first === null) return undefined;
  return { first: Number(row.first), last: Number(row.last), count: Number(row.count) };
}

/** Yields the entries of a chain by number. Memory does not grow with the chain. */
export async function* readChain(pool: pg.Pool, part: ChainPart): AsyncGenerator<ChainedEntry> {
  for await (const page of readChainPages(pool, part)) yield* page;
}

const PAGE = 1_000;
const NO_ID = "00000000-0000-0000-0000-000000000000";

/** Yields the same in pages. Ordered by number and id: if somebody removed the key and used a number twice, both entries are read. */
export async function* readChainPages(
  pool: pg.Pool,
  part: ChainPart,
): AsyncGenerator<readonly ChainedEntry[]> {
  let after: readonly [number, string] = [part.from ?? Number.MIN_SAFE_INTEGER, NO_ID];
  for (;;) {
    const { texts, values, bind } = partConditions(part);
    texts.push(`(seq, id) > (${bind(after[0])}::bigint, ${bind(after[1])}::uuid)`);
    const { rows } = await pool.query<StoredRow>(
      `SELECT ${COLUMNS} FROM audit_entries WHERE ${texts.join(" AND ")} ORDER BY seq, id LIMIT ${PAGE}`,
      values,
    );
    if (rows.length > 0) yield rows.map(chainedEntry);
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    after = [Number(last.seq), String(last.id)];
  }
}

function partConditions({ chain, to, filter = {} }: ChainPart) {
  const where = conditionsOf(AUDIT_ENTRIES, { cluster: chain, filter });
  if (to !== undefined) where.texts.push(`seq <= ${where.bind(to)}::bigint`);
  return where;
}

const LINKED = storedColumns({
  chain: asText,
  seq: asNumber,
  prevHash: asText,
  hash: asText,
  id: asText,
  actorKind: asText,
  actorId: asText,
  actorName: asText,
  action: asText,
  objectKind: asIs<string | null>,
  objectNamespace: asIs<string | null>,
  objectName: asIs<string | null>,
  objectUid: asIs<string | null>,
  why: asText,
  result: asText,
  runId: asIs<string | null>,
  intentId: asIs<string | null>,
  clientAddress: asIs<string | null>,
  clientAgent: asIs<string | null>,
  format: asNumber,
  writtenBy: asIs<string | null>,
  proof: asIs<string | null>,
  sessionId: asIs<string | null>,
});

const HASHED = storedColumns({ at: asNumber, before: asText, after: asText });

/** The columns in the form that an entry's hash covers. */
const COLUMNS = `${LINKED.columns}, round(extract(epoch FROM at) * 1000)::bigint AS at, before::text AS before, after::text AS after`;

function chainedEntry(row: StoredRow): ChainedEntry {
  return { ...LINKED.read(row), ...HASHED.read(row) };
}
