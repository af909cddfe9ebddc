import type { RowOf } from "@cloudwright/core/model/kinds/define-kind";
import { detailOf } from "@cloudwright/core/model/kinds/known-object";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { nodeRoutesKind, staleRouteKind } from "@cloudwright/core/model/kinds/route";
import { nodeRangesDetailSchema } from "@cloudwright/core/model/records/route-record";
import type { Database } from "../../database/database.ts";
import { intentsAbout, openIntentsOf, openIntentsOfKind } from "../../intents/intents.ts";
import { findObject, objectByName } from "../../sql/object-rows.ts";
import { listObjects } from "../../sql/objects.ts";
import { countRoutes, rangeFamilies } from "../../sql/routes.ts";
import type {
  NodeRoutesView,
  RouteRow,
  RouteSort,
  RoutesFilter,
  RoutesPage,
  StaleFilter,
  StalePage,
  StaleSort,
} from "../../views/routes.ts";
import type { ListInput } from "../../views/views.ts";

/** Nodes as the route controller sees them, each with its pod ranges and their routes, as `listObjects`. */
export async function listRoutes(
  db: Database,
  input: ListInput<RoutesFilter, RouteSort>,
): Promise<RoutesPage> {
  const [page, counts, families] = await Promise.all([
    listObjects(db, nodeRoutesKind, input),
    countRoutes(db.pool, input.cluster),
    rangeFamilies(db.pool, input.cluster),
  ]);
  return { ...page, rows: page.rows.map(routeRow), counts, families };
}

/** The routes and pod ranges of one node, also when it is gone. Throws OperationError NotFound for an unknown name. */
export async function nodeRoutes(
  db: Database,
  key: { readonly cluster: string; readonly name: string },
): Promise<NodeRoutesView> {
  const [node, routes, openIntents] = await Promise.all([
    objectByName(db, nodeKind, { ...key, what: `a node ${key.name}` }),
    findObject(db, nodeRoutesKind, key),
    openIntentsOf(db, { ...key, kind: "Node" }),
  ]);
  return {
    row: routes === undefined ? undefined : routeRow(routes.row),
    ranges: detailOf(node.parts, nodeRangesDetailSchema),
    goneAt: node.goneAt,
    openIntents,
  };
}

function routeRow({ detail, ...row }: RowOf<typeof nodeRoutesKind>): RouteRow {
  return {
    ...row,
    cells: detail?.cells ?? [],
    condition: detail?.condition,
    asOf: detail?.asOf,
  };
}

/** Routes of ours that no Node asks for. Throws OperationError Invalid for a bad limit or cursor. */
export async function listStaleRoutes(
  db: Database,
  input: ListInput<StaleFilter, StaleSort>,
): Promise<StalePage> {
  const [page, intents] = await Promise.all([
    listObjects(db, staleRouteKind, input),
    openIntentsOfKind(db, { cluster: input.cluster, kind: staleRouteKind.name }),
  ]);
  return {
    ...page,
    rows: page.rows.map((row) => ({ ...row, openIntents: intentsAbout(intents, row.name) })),
  };
}
