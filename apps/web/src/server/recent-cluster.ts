import { cookies } from "next/headers";
import { unlessDatabaseSilent } from "./database-check.ts";
import { ledger } from "./ledger.ts";

/** The cluster that this browser looked at last, else the first there is; undefined when none has reported yet. */
export async function recentCluster(): Promise<string | undefined> {
  const remembered = (await cookies()).get("cloudwright.cluster")?.value;
  const clusters = ledger().prisma.cluster.findMany({
    select: { id: true },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
  const found = await unlessDatabaseSilent(clusters);
  const known = found.find(({ id }) => id === remembered) ?? found[0];
  return known?.id;
}
