import type { Database } from "../../database/database.ts";
import type { Cluster } from "../../generated/client.ts";
import type { ClusterAccess } from "../../users/cluster-access.ts";

/** Returns every visible cluster that a controller has ever reported, by name. */
export function visibleClusters(
  { prisma }: Pick<Database, "prisma">,
  access: ClusterAccess,
): Promise<readonly Cluster[]> {
  return prisma.cluster.findMany({
    ...(access === "all" ? {} : { where: { id: { in: [...access] } } }),
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
}
