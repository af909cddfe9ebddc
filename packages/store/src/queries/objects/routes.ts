import type { RowOf } from "@cloudwright/core/model/kinds/define-kind";
import { detailOf } from "@cloudwright/core/model/kinds/known-object";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import { nodeRoutesKind, staleRouteKind } from "@cloudwright/core/model/kinds/route";
import { t } from "@cloudwright/core/model/language/text";
import {
  nodeRangesDetailSchema,
  routeTableDetailSchema,
} from "@cloudwright/core/model/records/route-record";
import { stateSchema } from "@cloudwright/core/model/state";
import type { Database } from "../../database/database.ts";
import { intentsAbout, openIntentsOf, openIntentsOfKind } from "../../intents/intents.ts";
import { findObject, objectByName } from "../../sql/objects/object-rows.ts";
import { listObjects } from "../../sql/objects/objects.ts";
import {
  type Fleet,
  NO_ROUTES,
  rangeFamilies,
  readFleet,
  readRouteTables,
  type StoredTable,
  sumRoutes,
} from "../../sql/objects/routes.ts";
import { readJson, readReason } from "../../sql/stored-json.ts";
import type { ObjectPart } from "../../views/object-view.ts";
import type {
  NodeRoutesView,
  RouteForecast,
  RouteRow,
  RouteSort,
  RoutesFilter,
  RoutesPage,
  RouteTableView,
  StaleFilter,
  StalePage,
  StaleSort,
} from "../../views/routes.ts";
import type { ListInput } from "../../views/views.ts";
import { type PartialInput, partReader } from "../partial/part-reader.ts";

/** Lists nodes as the route controller sees them, each with its pod ranges and their routes, as `listObjects`. */
export async function listRoutes(
  db: Database,
  input: ListInput<RoutesFilter, RouteSort>,
): Promise<RoutesPage> {
  const [page, sums, families] = await Promise.all([
    listObjects(db, nodeRoutesKind, input),
    sumRoutes(db.pool, [input.cluster]),
    rangeFamilies(db.pool, input.cluster),
  ]);
  const counts = { ...page.counts, ...(sums.get(input.cluster) ?? NO_ROUTES) };
  return { ...page, rows: page.rows.map(routeRow), counts, families };
}

/** Returns the routes and pod ranges of one node, even if it is gone. Throws OperationError NotFound for an unknown name. */
export async function nodeRoutes(
  db: Database,
  { onUnread, ...key }: { readonly cluster: string; readonly name: string } & PartialInput,
): Promise<NodeRoutesView> {
  const { part, naming } = partReader<ObjectPart>({ onUnread });
  const [node, routes, openIntents] = await Promise.all([
    objectByName(db, nodeKind, {
      ...key,
      notFound: () => t`No controller has reported on a node ${key.name} here.`,
    }),
    findObject(db, nodeRoutesKind, key),
    part("openIntents", openIntentsOf(db, { ...key, kind: "Node" }), []),
  ]);
  return naming({
    row: routes === undefined ? undefined : routeRow(routes.row),
    ranges: detailOf(node.parts, nodeRangesDetailSchema),
    goneAt: node.goneAt,
    openIntents,
  });
}

export function routeRow({ detail, ...row }: RowOf<typeof nodeRoutesKind>): RouteRow {
  return {
    ...row,
    cells: detail?.cells ?? [],
    condition: detail?.condition,
    asOf: detail?.asOf,
  };
}

/** Lists our routes that no Node asks for. Throws OperationError Invalid for a bad limit or cursor. */
export async function listStaleRoutes(
  db: Database,
  input: ListInput<StaleFilter, StaleSort> & PartialInput,
): Promise<StalePage> {
  const { part, naming } = partReader<ObjectPart>(input);
  const of = { cluster: input.cluster, kind: staleRouteKind.name };
  const [page, intents] = await Promise.all([
    listObjects(db, staleRouteKind, input),
    part("openIntents", openIntentsOfKind(db, of), []),
  ]);
  return naming({
    ...page,
    rows: page.rows.map((row) => ({ ...row, openIntents: intentsAbout(intents, row.name) })),
  });
}

/**
 * Returns the route tables of a cluster, the fullest first. `now` is the server's time: the growth in nodes over the last 7 days predicts
 * how long the room of each table lasts.
 */
export async function listRouteTables(
  db: Database,
  { cluster, now }: { readonly cluster: string; readonly now: number },
): Promise<readonly RouteTableView[]> {
  const [stored, fleet] = await Promise.all([
    readRouteTables(db.pool, cluster),
    readFleet(db.pool, cluster, now),
  ]);
  return stored
    .flatMap((row) => tableView(row, fleet))
    .toSorted((left, right) => roomOf(left) - roomOf(right) || (left.id < right.id ? -1 : 1));
}

function tableView(row: StoredTable, fleet: Fleet): readonly RouteTableView[] {
  const detail = readJson(routeTableDetailSchema, row.detail, undefined);
  if (detail === undefined) return [];
  const { kind: _kind, foreign: _foreign, ...numbers } = detail;
  return [
    {
      ...numbers,
      id: row.name,
      state: readJson(stateSchema, row.state, "unknown"),
      reason: readReason(row.reason),
      since: row.since.getTime(),
      forecast: forecastOf({ ...numbers, id: row.name }, fleet),
    },
  ];
}

/** Pure. If the cloud has every route in each of its tables, all nodes count for each table. */
export function forecastOf(
  table: Pick<RouteTableView, "id" | "used" | "capacity" | "ours" | "missing">,
  { days, tables }: Fleet,
): RouteForecast | undefined {
  if (table.capacity === undefined) return undefined;
  const own = tables.filter(({ table: id, nodes }) => id === table.id && nodes > 0);
  const counted = own.length > 0 ? own : tables.filter(({ table: id }) => id !== "");
  const sum = (of: (row: Fleet["tables"][number]) => number) =>
    counted.reduce((total, row) => total + of(row), 0);
  const nodes = sum((row) => row.nodes);
  const routesPerNode = nodes === 0 ? 1 : Math.max(1, Math.round(table.ours / nodes));
  const room = Math.max(0, table.capacity - table.used - table.missing);
  const nodesFit = Math.floor(room / routesPerNode);
  const growth =
    days < 1 ? undefined : { nodesPerDay: (nodes - sum((row) => row.before)) / days, days };
  const isGrowing = growth !== undefined && growth.nodesPerDay > 0;
  const fullInDays = isGrowing ? nodesFit / growth.nodesPerDay : undefined;
  return { routesPerNode, nodesFit, growth, fullInDays };
}

function roomOf({ capacity, used }: RouteTableView): number {
  return capacity === undefined ? Number.MAX_SAFE_INTEGER : capacity - used;
}
