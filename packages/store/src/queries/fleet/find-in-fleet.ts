import type { Database } from "../../database/database.ts";
import { searchObjects } from "../../sql/objects/object-rows.ts";
import type { ClusterAccess } from "../../users/cluster-access.ts";
import type { Found } from "../../views/find.ts";
import type { FoundInCluster, FoundInFleet } from "../../views/fleet.ts";
import { clustersCalled, FOUND_MOST, findAnything } from "../overview/find.ts";
import { visibleClusters } from "./visible-clusters.ts";

/** Finds everything that a text can mean in any visible cluster. Queries that would be the same for each cluster run once. */
export async function findInFleet(
  db: Database,
  { access, text: pasted }: { readonly access: ClusterAccess; readonly text: string },
): Promise<FoundInFleet> {
  const text = pasted.trim();
  const clusters = await visibleClusters(db, access);
  if (text === "") return { clusters: [], searched: clusters.length };
  const ids = clusters.map(({ id }) => id);
  const [objects, called] = await Promise.all([
    searchObjects(db, { clusters: ids, text, most: FOUND_MOST }),
    clustersCalled(db, text, ids),
  ]);
  const found = await Promise.all(
    clusters.map(async ({ id, name }): Promise<FoundInCluster> => {
      const known = { objects: objects.get(id) ?? [], isCalled: called.includes(id) };
      return { cluster: id, name, found: await findAnything(db, { cluster: id, text, known }) };
    }),
  );
  return {
    clusters: found.filter((each) => !isNothing(each.found)),
    searched: clusters.length,
  };
}

function isNothing({ objects, runs, intentId }: Found): boolean {
  return objects.length === 0 && runs.length === 0 && intentId === undefined;
}
