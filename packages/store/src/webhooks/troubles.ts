import type { Database } from "../database/database.ts";
import { type ObjectTrouble, readTroubles } from "../sql/webhooks.ts";

export type { ObjectTrouble };

/** What is stuck in a cluster, has drifted, or is kept by the deletion guard, by its cause. */
export function clusterTroubles(
  { pool }: Pick<Database, "pool">,
  cluster: string,
): Promise<readonly ObjectTrouble[]> {
  return readTroubles(pool, cluster);
}

/** The newest verification of a chain that somebody asked for. */
export async function newestVerification(
  { prisma }: Pick<Database, "prisma">,
  chain: string,
): Promise<{ readonly at: number; readonly intact: boolean } | undefined> {
  const entry = await prisma.auditEntry.findFirst({
    where: { chain, action: "audit.verify" },
    orderBy: { seq: "desc" },
    select: { at: true, result: true },
  });
  if (entry === null) return undefined;
  return { at: entry.at.getTime(), intact: entry.result === "applied" };
}
