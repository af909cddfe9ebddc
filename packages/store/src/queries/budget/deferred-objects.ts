import { PART_KINDS } from "@cloudwright/core/model/kinds/kinds";
import type pg from "pg";
import { readTime } from "../../sql/stored-json.ts";
import type { BudgetView } from "../../views/budget.ts";

const MOST = 5;

interface StoredDeferred {
  readonly kind: string;
  readonly name: string;
  readonly next_at: Date | null;
  readonly count: number;
}

/** Objects that wait because the cloud allows no more calls: how many, and those that have waited longest. */
export async function deferredObjects(
  pool: pg.Pool,
  cluster: string,
): Promise<BudgetView["deferred"]> {
  const { rows } = await pool.query<StoredDeferred>(
    `SELECT kind, name, next_at, count(*) OVER ()::int AS count
       FROM all_states
      WHERE cluster_id = $1 AND reason_code = 'ProviderThrottled' AND state <> 'gone' AND kind <> ALL($3::text[])
      ORDER BY since, kind, name
      LIMIT $2`,
    [cluster, MOST, PART_KINDS],
  );
  return {
    count: rows[0]?.count ?? 0,
    oldest: rows.map(({ kind, name, next_at }) => ({ kind, name, nextAt: readTime(next_at) })),
  };
}
