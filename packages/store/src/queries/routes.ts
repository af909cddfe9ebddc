import { storedPartSchema } from "@cloudwright/core/model/kinds/known-object";
import {
  type NodeRoutesDetail,
  nodeRoutesDetailSchema,
} from "@cloudwright/core/model/route-record";
import { driftSchema, STATES, stateSchema } from "@cloudwright/core/model/state";
import type pg from "pg";
import type { Database } from "../database.ts";
import type { RouteRow, RouteSort, RoutesFilter, RoutesPage } from "../route-views.ts";
import type { ListInput } from "../views.ts";
import {
  type KeyColumn,
  type KeysetQuery,
  keysetPage,
  type SqlConditions,
  sqlConditions,
} from "./keyset.ts";
import { BY_NAME, type StoredName } from "./object-summary.ts";
import { rangeFamilies } from "./range-families.ts";
import { countRoutes } from "./route-counts.ts";
import { readJson, readReason } from "./stored-json.ts";

/**
 * Nodes as the route controller sees them, each with its pod ranges and their routes. Gone nodes are listed only when the
 * filter names the state. Text is looked for, in any case, in names, addresses, provider IDs, pod ranges and ids of routes.
 * Throws OperationError Invalid for a bad limit or cursor.
 */
export async function listRoutes(
  db: Database,
  input: ListInput<RoutesFilter, RouteSort>,
): Promise<RoutesPage> {
  const [page, counts, families] = await Promise.all([
    keysetPage(routesQuery(db.pool, input)),
    countRoutes(db.pool, input.cluster),
    rangeFamilies(db.pool, input.cluster),
  ]);
  return { ...page, counts, families };
}

/** Exported for the test that asks the database how it would run it. */
export function routesQuery(
  pool: pg.Pool,
  input: ListInput<RoutesFilter, RouteSort>,
): KeysetQuery<StoredRoutes, RouteRow> {
  const where = sqlConditions();
  where.texts.push(`cluster_id = ${where.bind(input.cluster)}`, "kind = 'Node'");
  addFilter(where, input.filter);
  return {
    pool,
    table: "object_states",
    columns: ROUTE_COLUMNS,
    where,
    order: ORDERS[input.sort.by],
    descending: input.sort.descending,
    binding: { list: "routes", cluster: input.cluster, filter: input.filter, sort: input.sort },
    cursor: input.cursor,
    limit: input.limit,
    view: routeRow,
  };
}

export const ROUTE_COLUMNS =
  "name, name_key, uid, route_rank, route_since, route_drift, route_table, parts -> 'node-route-controller' AS part, updated_at";

/** What the driver answers of a Node that the route controller has looked at. */
export interface StoredRoutes extends StoredName {
  readonly uid: string;
  readonly route_rank: number;
  readonly route_since: Date;
  readonly route_drift: string;
  readonly route_table: string;
  readonly part: { readonly reason?: unknown } | null;
  readonly updated_at: Date;
}

export function routeRow(row: StoredRoutes): RouteRow {
  const part = readJson(storedPartSchema, row.part, undefined);
  const detail = routesDetailOf(part?.detail);
  return {
    name: row.name,
    uid: row.uid,
    state: readJson(stateSchema, STATES[row.route_rank], "unknown"),
    reason: part?.reason ?? readReason(row.part?.reason),
    controller: "node-route-controller",
    since: row.route_since.getTime(),
    nextAt: part?.nextAt,
    failures: part?.failures ?? 0,
    lastRun: {
      id: part?.runId ?? "",
      outcome: part?.outcome ?? "failed",
      at: part?.at ?? row.updated_at.getTime(),
    },
    updatedAt: part?.at ?? row.updated_at.getTime(),
    drift: readJson(driftSchema, row.route_drift, "notChecked"),
    cells: detail?.cells ?? [],
    condition: detail?.condition,
    table: row.route_table === "" ? undefined : row.route_table,
    asOf: detail?.asOf,
  };
}

function routesDetailOf(detail: unknown): NodeRoutesDetail | undefined {
  return readJson(nodeRoutesDetailSchema, detail, undefined);
}

const BY_SINCE: KeyColumn<StoredRoutes> = {
  expression: "route_since",
  type: "timestamp",
  value: (row) => row.route_since.getTime(),
};

const ORDERS: Record<RouteSort, readonly KeyColumn<StoredRoutes>[]> = {
  state: [
    { expression: "route_rank", type: "number", value: (row) => row.route_rank },
    BY_SINCE,
    ...BY_NAME,
  ],
  name: BY_NAME,
  since: [BY_SINCE, ...BY_NAME],
  table: [{ expression: "route_table", type: "text", value: (row) => row.route_table }, ...BY_NAME],
};

function addFilter(where: SqlConditions, filter: RoutesFilter): void {
  const states = filter.states ?? STATES.filter((state) => state !== "gone");
  const ranks = states.map((state) => STATES.indexOf(state));
  where.texts.push(`route_rank = ANY(${where.bind(ranks)}::smallint[])`);
  if (filter.text !== undefined && filter.text !== "") {
    where.texts.push(`strpos(search_text, ${where.bind(filter.text.toLowerCase())}) > 0`);
  }
  const { reason, drift, verdicts, table } = filter;
  if (reason !== undefined) where.texts.push(`route_reason_code = ${where.bind(reason)}`);
  if (drift !== undefined) where.texts.push(`route_drift = ${where.bind(drift)}`);
  if (verdicts !== undefined) where.texts.push(`route_verdicts && ${where.bind(verdicts)}::text[]`);
  if (table !== undefined) where.texts.push(`route_table = ${where.bind(table)}`);
}
