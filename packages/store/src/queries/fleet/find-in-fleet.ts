import type { Database } from "../../database/database.ts";
import { REQUEST_KEY_LENGTH } from "../../ledger/request-keys.ts";
import { clustersWithRequest } from "../../sql/runs.ts";
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
  const called = await clustersCalled(
    db,
    text.trim(),
    clusters.map(({ id }) => id),
  );
  const found = await Promise.all(
    clusters.map(
      async ({ id, name }): Promise<FoundInCluster> => ({
        ...{ cluster: id, name },
        found: await findAnything(db, { cluster: id, text, isCalled: called.includes(id) }),
      }),
    ),
  );
  return {
    clusters: found.filter((each) => !isNothing(each.found)),
    searched: clusters.length,
  };
}

/** The clusters in which a run has a cloud call with that id. Asked for all at once, as few have one. */
async function clustersCalled(
  { pool }: Database,
  id: string,
  clusters: readonly string[],
): Promise<readonly string[]> {
  return id.length < REQUEST_KEY_LENGTH ? [] : clustersWithRequest(pool, id, clusters);
}

function isNothing({ objects, runs, intentId }: Found): boolean {
  return objects.length === 0 && runs.length === 0 && intentId === undefined;
}
