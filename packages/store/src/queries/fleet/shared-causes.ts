import type { Database } from "../../database/database.ts";
import { readSharedCauses, type StoredCause } from "../../sql/objects/shared-causes.ts";
import type { ClusterAccess } from "../../users/cluster-access.ts";
import { CAUSE_MEMBERS_MOST, type CauseInCluster, type SharedCause } from "../../views/fleet.ts";
import { visibleClusters } from "./visible-clusters.ts";

/** Returns the problems with the same cause in several clusters, most clusters first. */
export async function sharedCauses(
  db: Database,
  access: ClusterAccess,
): Promise<readonly SharedCause[]> {
  const [clusters, stored] = await Promise.all([
    visibleClusters(db, access),
    readSharedCauses(db.pool, access),
  ]);
  const names = new Map(clusters.map(({ id, name }) => [id, name]));
  return groupedBy(stored, ({ stuck, code }) => `${stuck ? "stuck" : "held"} ${code}`)
    .map(([id, rows]) => causeOf(id, rows, names))
    .toSorted(
      (left, right) =>
        right.clusters.length - left.clusters.length ||
        right.count - left.count ||
        left.since - right.since ||
        left.id.localeCompare(right.id),
    );
}

function causeOf(
  id: string,
  rows: readonly StoredCause[],
  names: ReadonlyMap<string, string>,
): SharedCause {
  const clusters = groupedBy(rows, ({ cluster }) => cluster)
    .map(([cluster, own]) => inCluster({ cluster, name: names.get(cluster) ?? cluster }, own))
    .toSorted((left, right) => right.count - left.count || left.name.localeCompare(right.name));
  const [first] = rows;
  return {
    ...{ id, clusters },
    kind: first?.stuck === false ? "held" : "stuck",
    code: first?.code ?? "",
    count: clusters.reduce((sum, { count }) => sum + count, 0),
    since: Math.min(...clusters.map(({ since }) => since)),
  };
}

function inCluster(
  of: Pick<CauseInCluster, "cluster" | "name">,
  rows: readonly StoredCause[],
): CauseInCluster {
  const kinds = Object.fromEntries(rows.map(({ member, count }) => [member.kind, count]));
  return {
    ...of,
    kinds,
    count: Object.values(kinds).reduce((sum, count) => sum + count, 0),
    since: Math.min(...rows.map(({ since }) => since)),
    members: rows
      .map(({ member }) => member)
      .toSorted((left, right) => left.since - right.since)
      .slice(0, CAUSE_MEMBERS_MOST),
  };
}

/** Groups rows, in the order of each group's first row. */
function groupedBy<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): readonly (readonly [string, readonly Row[]])[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups];
}
