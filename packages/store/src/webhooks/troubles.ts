import type { Database } from "../database/database.ts";
import { type ObjectTrouble, readTroubles } from "../sql/webhooks.ts";

export type { ObjectTrouble };

/** Returns the objects of a cluster that are stuck, have drifted, or are held by the deletion guard, by cause. */
export function clusterTroubles(
  { pool }: Pick<Database, "pool">,
  cluster: string,
): Promise<readonly ObjectTrouble[]> {
  return readTroubles(pool, cluster);
}

/** Returns the newest verification of a chain that a user requested. */
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
