import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { ChainHead, NotedHead } from "../views/chains.ts";
import { readHead, readNotedCheckpoint } from "./chain-heads.ts";

export interface LastVerification {
  readonly at: number;
  readonly intact: boolean;
  /** How many entries there were then. */
  readonly entries: number;
  readonly by: string;
  /** Up to which entry a checkpoint bound them then; undefined for a verification by an earlier release. */
  readonly anchoredTo: number | undefined;
}

/** What can be said of a chain without reading it. */
export interface AuditChainView {
  /** A cluster's id, or `accounts`. */
  readonly chain: string;
  /** Undefined while it has no entries. */
  readonly head: ChainHead | undefined;
  /** When its first entry happened. */
  readonly since: number | undefined;
  /** The last that was written outside the database, as the leader noted it. */
  readonly checkpoint: NotedHead | undefined;
  /** When somebody last had it verified here. */
  readonly verified: LastVerification | undefined;
}

/** How the audit chain of a cluster, or of `accounts`, stands. Its head's number is the count of its entries. */
export async function auditChain(
  db: Pick<Database, "pool">,
  chain: string,
): Promise<AuditChainView> {
  const [head, checkpoint, since, verified] = await Promise.all([
    readHead(db.pool, chain),
    readNotedCheckpoint(db.pool, chain),
    readSince(db, chain),
    readVerified(db, chain),
  ]);
  return { chain, head, since, checkpoint, verified };
}

async function readSince({ pool }: Pick<Database, "pool">, chain: string) {
  const { rows } = await pool.query<{ at: Date }>(
    "SELECT at FROM audit_entries WHERE chain = $1 ORDER BY seq LIMIT 1",
    [chain],
  );
  return rows[0]?.at.getTime();
}

const verifiedSchema = z.object({
  intact: z.boolean(),
  entries: z.number(),
  anchoredTo: z.number().optional(),
});

async function readVerified(
  { pool }: Pick<Database, "pool">,
  chain: string,
): Promise<LastVerification | undefined> {
  const { rows } = await pool.query<{ at: Date; actor_name: string; after: unknown }>(
    `SELECT at, actor_name, after FROM audit_entries
      WHERE chain = $1 AND action = 'audit.verify' ORDER BY seq DESC LIMIT 1`,
    [chain],
  );
  const found = verifiedSchema.safeParse(rows[0]?.after).data;
  if (rows[0] === undefined || found === undefined) return undefined;
  const { intact, entries, anchoredTo } = found;
  return { at: rows[0].at.getTime(), by: rows[0].actor_name, intact, entries, anchoredTo };
}
