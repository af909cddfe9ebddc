import type { Database } from "../../database/database.ts";
import { checkedLimit } from "../../sql/list.ts";
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
  const { cluster, from, to } = input;
  const rows = await db.prisma.ledgerGap.findMany({
    where: {
      clusterId: cluster,
      ...(from === undefined ? {} : { toAt: { gte: new Date(from) } }),
      ...(to === undefined ? {} : { fromAt: { lt: new Date(to) } }),
    },
    orderBy: [{ toAt: "desc" }, { id: "asc" }],
    take: checkedLimit(input.limit),
  });
  return rows.map(({ id, instance, fromAt, toAt, records, calls }) => ({
    ...{ id, instance, records, calls },
    from: fromAt.getTime(),
    to: toAt.getTime(),
  }));
}
