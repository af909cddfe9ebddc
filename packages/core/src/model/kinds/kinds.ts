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

/** The table of what all objects have, which the tables of the kinds inherit. It stores all other kinds itself. */
export const SHARED_TABLE = "all_states";

export const STATE_TABLES: readonly string[] = [
  ...new Set([SHARED_TABLE, ...OBJECT_KINDS.map(({ table }) => table)]),
];

/**
 * Returns the definition of a kind. A kind that this release does not know, such as a third-party controller's, is stored,
 * listed, searched and counted by what all objects have: its state, reason, drift, times and name.
 */
export function objectKind(name: string): ObjectKind {
  return OBJECT_KINDS.find((kind) => kind.name === name) ?? plainKind(name);
}

/** Returns the kinds whose rows are parts of such an object. */
export function partKindsOf(kind: string): readonly PartKind[] {
  return PARTS.filter(({ partOf }) => partOf.kind === kind);
}

type PartKind = ObjectKind & Required<Pick<ObjectKind, "partOf">>;

const PARTS = OBJECT_KINDS.filter((kind): kind is PartKind => kind.partOf !== undefined);

/** Kinds that are reported as parts of others: code that counts or finds objects leaves them out. */
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
