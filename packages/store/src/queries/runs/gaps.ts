import type { Database } from "../../database/database.ts";
import { checkedLimit } from "../../sql/keyset.ts";
import type { GapRow } from "../../views/clusters.ts";

export interface GapsInput {
  readonly cluster: string;
  /** Only what touches this stretch, milliseconds since the epoch. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** 1 to 200. */
  readonly limit: number;
}

/** What full spools lost of a cluster's ledger, newest first. Throws OperationError Invalid for a bad limit. */
export async function listGaps(db: Database, input: GapsInput): Promise<readonly GapRow[]> {
  const { rows } = await db.pool.query<StoredGap>(
    `SELECT id, instance, from_at, to_at, records, calls FROM ledger_gaps
      WHERE cluster_id = $1
        AND ($2::float8 IS NULL OR to_at >= to_timestamp($2::float8 / 1000))
        AND ($3::float8 IS NULL OR from_at < to_timestamp($3::float8 / 1000))
      ORDER BY to_at DESC, id LIMIT $4`,
    [input.cluster, input.from ?? null, input.to ?? null, checkedLimit(input.limit)],
  );
  return rows.map(({ from_at, to_at, ...gap }) => ({
    ...gap,
    from: from_at.getTime(),
    to: to_at.getTime(),
  }));
}

interface StoredGap {
  readonly id: string;
  readonly instance: string;
  readonly from_at: Date;
  readonly to_at: Date;
  readonly records: number;
  readonly calls: number;
}
