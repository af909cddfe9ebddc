import { mayReach } from "@cloudwright/store/users/cluster-access";
import { cookies } from "next/headers";
import { unlessDatabaseSilent } from "./database-check.ts";
import { ledger } from "./ledger.ts";
import type { Viewer } from "./sign-in/viewer.ts";

/** Returns the cluster that this browser showed last, otherwise the viewer's first; undefined if none has reported yet. */
export async function recentCluster({ clusters: access }: Viewer): Promise<string | undefined> {
  const remembered = (await cookies()).get("cloudwright.cluster")?.value;
  const clusters = ledger().prisma.cluster.findMany({
    select: { id: true },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
  const found = await unlessDatabaseSilent(clusters);
  const theirs = found.filter(({ id }) => mayReach(access, id));
  const known = theirs.find(({ id }) => id === remembered) ?? theirs[0];
  return known?.id;
}
