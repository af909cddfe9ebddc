import type pg from "pg";
import type { ChainHead, NotedHead } from "../views/chains.ts";

/** The head of a chain; undefined while it has no entries. */
export async function readHead(pool: pg.Pool, chain: string): Promise<ChainHead | undefined> {
  return (await readHeads(pool, [chain])).get(chain);
}

/** The heads of these chains, by chain; none of one without entries. */
export async function readHeads(
  pool: pg.Pool,
  chains: readonly string[],
): Promise<ReadonlyMap<string, ChainHead>> {
  const { rows } = await pool.query<StoredHead & { chain: string }>(
    "SELECT chain, seq, hash, at FROM audit_chains WHERE chain = ANY($1::text[]) AND seq > 0",
    [chains],
  );
  return new Map(rows.map((row) => [row.chain, chainHead(row)]));
}

/** Whether the chain's head is recorded, be it without entries: each chain has a head from its beginning. */
export async function hasHead(pool: pg.Pool, chain: string): Promise<boolean> {
  const { rowCount } = await pool.query("SELECT FROM audit_chains WHERE chain = $1", [chain]);
  return rowCount === 1;
}

/** The entry with the highest number, for a chain whose head's record is gone. */
export async function readLastEntry(pool: pg.Pool, chain: string): Promise<ChainHead | undefined> {
  const { rows } = await pool.query<StoredHead>(
    "SELECT seq, hash, at FROM audit_entries WHERE chain = $1 ORDER BY seq DESC LIMIT 1",
    [chain],
  );
  return rows[0] === undefined ? undefined : chainHead(rows[0]);
}

/** Every chain that there is or should be, accounts first. */
export async function listChains(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ chain: string }>(
    `SELECT chain FROM audit_chains UNION SELECT chain FROM audit_checkpoints UNION SELECT id FROM clusters
     UNION SELECT 'accounts' UNION SELECT DISTINCT chain FROM audit_entries ORDER BY chain`,
  );
  return rows.map((row) => row.chain).toSorted(accountsFirst);
}

/** What the database notes of the last checkpoint that was written outside of it. */
export async function readNotedCheckpoint(
  pool: pg.Pool,
  chain: string,
): Promise<NotedHead | undefined> {
  const { rows } = await pool.query<StoredHead & { place: string }>(
    "SELECT seq, hash, at, place FROM audit_checkpoints WHERE chain = $1",
    [chain],
  );
  return rows[0] === undefined ? undefined : { ...chainHead(rows[0]), place: rows[0].place };
}

/** Notes that a checkpoint was written, and where, so that the pages can say so. */
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

/** Whether the chain still has that entry with that hash. */
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

interface StoredHead {
  readonly seq: string;
  readonly hash: string;
  readonly at: Date;
}

function chainHead(row: StoredHead): ChainHead {
  return { seq: Number(row.seq), hash: row.hash, at: row.at.getTime() };
}

function accountsFirst(left: string, right: string): number {
  return Number(right === "accounts") - Number(left === "accounts");
}
