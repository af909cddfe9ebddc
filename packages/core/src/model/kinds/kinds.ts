import { defineObjectKind, type ObjectKind } from "./define-kind.ts";
import { orphanKind, serviceKind } from "./load-balancer.ts";
import { nodeKind } from "./node.ts";
import { nodeRoutesKind, routeTableKind, staleRouteKind } from "./route.ts";
import { volumeKind } from "./volume.ts";

/** All kinds of object that have columns, details or parts of their own. */
export const OBJECT_KINDS: readonly ObjectKind[] = [
  nodeKind,
  serviceKind,
  orphanKind,
  nodeRoutesKind,
  staleRouteKind,
  routeTableKind,
  volumeKind,
];

/** The table of what all objects have, which the tables of the kinds inherit: it holds every other kind itself. */
export const SHARED_TABLE = "all_states";

export const STATE_TABLES: readonly string[] = [
  ...new Set([SHARED_TABLE, ...OBJECT_KINDS.map(({ table }) => table)]),
];

/**
 * The definition of a kind. One that this release does not know, such as that of a controller which somebody adds, is stored,
 * listed, searched and counted by what all objects have: its state, reason, drift, times and name.
 */
export function objectKind(name: string): ObjectKind {
  return OBJECT_KINDS.find((kind) => kind.name === name) ?? plainKind(name);
}

/** The kinds that parts of such an object are rows of. */
export function partKindsOf(kind: string): readonly PartKind[] {
  return PARTS.filter(({ partOf }) => partOf.kind === kind);
}

type PartKind = ObjectKind & Required<Pick<ObjectKind, "partOf">>;

const PARTS = OBJECT_KINDS.filter((kind): kind is PartKind => kind.partOf !== undefined);

/** Kinds that are reported as parts of others: what counts or finds objects leaves them out. */
export const PART_KINDS: readonly string[] = PARTS.map(({ name }) => name);

function plainKind(name: string): ObjectKind {
  return defineObjectKind({
    name,
    table: SHARED_TABLE,
    subject: ({ createdAt }) => ({ createdAt }),
    shared: ({ createdAt }) => ({ createdAt, words: [] }),
    columns: {},
    sorts: { state: "state", name: "name", since: "since" },
    filters: {},
    facets: [],
  });
}
