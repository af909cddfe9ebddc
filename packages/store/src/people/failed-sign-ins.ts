import type { Database } from "../database.ts";
import type { FailedSignIns } from "../views.ts";

/** How an audit entry of a refused sign-in says that it was one by password, and not another refusal of the same user. */
export const PASSWORD_ATTEMPT = "password";

const COUNTED_MS = 24 * 3_600_000;

/** The wrong passwords of the last day by user, as the audit entries have them; those that one entry tells of as well. */
export async function failedSignIns(
  { pool }: Pick<Database, "pool">,
  now: number,
): Promise<ReadonlyMap<string, FailedSignIns>> {
  const { rows } = await pool.query<StoredFailures>(
    `SELECT actor_id, sum(COALESCE((after->>'more')::int, 1))::int AS count, max(at) AS last_at,
            (array_agg(client_address ORDER BY seq DESC))[1] AS last_address
       FROM audit_entries
      WHERE chain = 'accounts' AND at > $1 AND action = 'account.refused' AND actor_kind = 'person'
        AND after->>'attempt' = $2
      GROUP BY actor_id`,
    [new Date(now - COUNTED_MS), PASSWORD_ATTEMPT],
  );
  return new Map(rows.map((row) => [row.actor_id, failuresOf(row)]));
}

interface StoredFailures {
  readonly actor_id: string;
  readonly count: number;
  readonly last_at: Date;
  readonly last_address: string | null;
}

function failuresOf({ count, last_at, last_address }: StoredFailures): FailedSignIns {
  return { count, lastAt: last_at.getTime(), lastAddress: last_address ?? undefined };
}
