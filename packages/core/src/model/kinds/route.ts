import { z } from "zod/mini";
import { speakerFor } from "../controller-names.ts";
import {
  nodeRoutesDetailSchema,
  ROUTE_VERDICTS,
  type RouteCell,
  routeTableDetailSchema,
  staleRouteDetailSchema,
} from "../records/route-record.ts";
import { defineObjectKind } from "./define-kind.ts";
import type { KnownObject } from "./known-object.ts";

const TABLE = "route_states";

/**
 * A Node from the route controller's perspective, with its pod ranges: a part of the Node that has a list of its
 * own.
 */
export const nodeRoutesKind = defineObjectKind({
  name: "NodeRoutes",
  table: TABLE,
  partOf: { kind: "Node", controller: speakerFor("NodeRoutes") },
  detail: { schema: nodeRoutesDetailSchema, inLists: true },
  subject: ({ parts }: KnownObject) => ({
    cells:
      nodeRoutesDetailSchema.safeParse(parts[speakerFor("NodeRoutes")]?.detail).data?.cells ?? [],
  }),
  columns: {
    /** The id of the table with the first of its routes. */
    table: {
      type: "text",
      read: ({ cells }) => cells.find(({ route }) => route !== undefined)?.route?.table,
    },
    routesWanted: {
      type: "int",
      inLists: false,
      read: ({ cells }) => countCells(cells, (verdict) => verdict !== "remove"),
    },
    /** How many of them are correct. */
    routesKept: {
      type: "int",
      inLists: false,
      read: ({ cells }) => countCells(cells, (verdict) => verdict === "keep"),
    },
    /** The verdicts on its pod ranges in the matrix, each once. */
    rangeVerdicts: {
      type: "text[]",
      schema: z.readonly(z.array(z.enum(ROUTE_VERDICTS))),
      inLists: false,
      read: ({ cells }) => [...new Set(cells.map(({ verdict }) => verdict))],
    },
  },
  sorts: { state: "state", name: "name", since: "since", table: "table" },
  filters: {
    verdicts: { column: "rangeVerdicts", match: "overlap", choices: ROUTE_VERDICTS },
    table: { column: "table", match: "equal" },
  },
  facets: [],
});

/** A route of ours that no Node needs. */
export const staleRouteKind = defineObjectKind({
  name: "Route",
  table: TABLE,
  detail: { schema: staleRouteDetailSchema, inLists: true },
  subject: ({ detail }) => staleRouteDetailSchema.safeParse(detail).data,
  shared: (route) => ({ words: [route?.destination, route?.nextHop, route?.owner] }),
  columns: {
    table: { type: "text", inLists: false, read: (route): string | undefined => route?.table },
  },
  sorts: { since: "since", name: "name" },
  filters: {},
  facets: [],
});

export const routeTableKind = defineObjectKind({
  name: "RouteTable",
  table: "all_states",
  detail: { schema: routeTableDetailSchema, inLists: false },
  subject: ({ detail }) => routeTableDetailSchema.safeParse(detail).data,
  shared: (table) => ({ words: [table?.tableName] }),
  columns: {},
  sorts: { state: "state", name: "name", since: "since" },
  filters: {},
  facets: [],
});

function countCells(
  cells: readonly RouteCell[],
  counts: (verdict: RouteCell["verdict"]) => boolean,
): number {
  return cells.filter(({ verdict }) => counts(verdict)).length;
}
