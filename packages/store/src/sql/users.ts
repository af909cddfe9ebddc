import type pg from "pg";
import type { Prisma } from "../generated/client.ts";

/* By hand: row locks, a function of the database, and a path into the JSON of audit entries. */

/** Returns whether a session is live; if so, the database knows who acts for the rest of the transaction. */
export async function isLiveSession(
  tx: Prisma.TransactionClient,
  { id, tokenHash }: { readonly id: string; readonly tokenHash: string },
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ live: boolean }[]>`
    SELECT cloudwright_audit_session(${id}, ${tokenHash}) AS live`;
  return row?.live === true;
}

/** Locks the user's row until the transaction ends. */
export async function lockUserRow(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.$executeRaw`SELECT FROM users WHERE id = ${id} FOR UPDATE`;
}

/** Returns the ids of the admins of all clusters who can sign in, and locks their rows until the transaction ends. */
export async function lockAdmins(tx: Prisma.TransactionClient): Promise<readonly string[]> {
  const admins = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM users WHERE role = 'admin' AND banned IS NOT TRUE AND NOT restricted ORDER BY id FOR UPDATE`;
  return admins.map(({ id }) => id);
}

/** A user's refused sign-ins. */
export interface StoredFailures {
  readonly object_uid: string;
  readonly count: number;
  readonly last_at: Date;
  readonly last_address: string | null;
}

/** Counts the sign-ins that were refused since then, by user; one entry may stand for several. */
export async function readFailures(
  pool: pg.Pool,
  { since, attempt }: { readonly since: Date; readonly attempt: string },
): Promise<readonly StoredFailures[]> {
  const { rows } = await pool.query<StoredFailures>(
    `SELECT object_uid, sum(COALESCE((after->>'more')::int, 1))::int AS count, max(at) AS last_at,
            (array_agg(client_address ORDER BY seq DESC))[1] AS last_address
       FROM audit_entries
      WHERE chain = 'accounts' AND at > $1 AND action = 'account.refused' AND object_kind = 'User'
        AND object_uid IS NOT NULL AND after->>'attempt' = $2
      GROUP BY object_uid`,
    [since, attempt],
  );
  return rows;
}
