import type { Database } from "../../database/database.ts";
import type { ClusterAccess } from "../../users/cluster-access.ts";
import type { Found } from "../../views/find.ts";
import type { FoundInCluster, FoundInFleet } from "../../views/fleet.ts";
import { findAnything } from "../overview/find.ts";
import { visibleClusters } from "./visible-clusters.ts";

/** Everything that a text can mean in any of the clusters that may be seen. */
export async function findInFleet(
  db: Database,
  { access, text }: { readonly access: ClusterAccess; readonly text: string },
): Promise<FoundInFleet> {
  const clusters = await visibleClusters(db, access);
  const found = await Promise.all(
    clusters.map(
      async ({ id, name }): Promise<FoundInCluster> => ({
        ...{ cluster: id, name },
        found: await findAnything(db, { cluster: id, text }),
      }),
    ),
  );
  return {
    clusters: found.filter((each) => !isNothing(each.found)),
    searched: clusters.length,
  };
}

function isNothing({ objects, runs, intentId }: Found): boolean {
  return objects.length === 0 && runs.length === 0 && intentId === undefined;
}
