import type { ListedIntent } from "@cloudwright/core/model/actions/intent";
import {
  type FilterOf,
  type RowOf,
  type SortOf,
  sortsOf,
} from "@cloudwright/core/model/kinds/define-kind";
import { nodeRoutesKind, type staleRouteKind } from "@cloudwright/core/model/kinds/route";
import type { Reason } from "@cloudwright/core/model/reason";
import type {
  NodeRangesDetail,
  NodeRoutesDetail,
  RouteCell,
  RouteTableDetail,
  RouteVerdict,
} from "@cloudwright/core/model/records/route-record";
import type { State } from "@cloudwright/core/model/state";
import type { ObjectPart } from "./object-view.ts";
import type { Unread } from "./unread.ts";
import type { ObjectCounts, Page } from "./views.ts";

/** What the Routes page shows (UX.md section 7). Times are milliseconds since the epoch. */

/** A node as the route controller sees it; state, reason and run are that controller's. */
export interface RouteRow extends Omit<RowOf<typeof nodeRoutesKind>, "detail"> {
  /** Its pod ranges in the Node's order, each with its route; empty while it has none. */
  readonly cells: readonly RouteCell[];
  /** The Node's condition NetworkUnavailable. */
  readonly condition: NodeRoutesDetail["condition"];
  /** When the cloud said so. */
  readonly asOf: number | undefined;
}

export const ROUTE_SORTS = sortsOf(nodeRoutesKind);
export type RouteSort = SortOf<typeof nodeRoutesKind>;
export type RoutesFilter = FilterOf<typeof nodeRoutesKind>;

export interface RoutesPage extends Page<RouteRow> {
  readonly counts: RouteCounts;
  /** Those of the ranges that the leader gives pods, whatever the filter; empty before it has reported. */
  readonly families: readonly RouteCell["family"][];
}

/** Of the whole cluster, whatever the filter. */
export interface RouteCounts extends ObjectCounts {
  /** Routes that the nodes ask for, and how many of them are as they should be. */
  readonly wanted: number;
  readonly inStep: number;
  /** Routes of ours that no Node asks for. */
  readonly stale: number;
  readonly staleStuck: number;
  /** Routes in the tables that are not ours. */
  readonly foreign: number;
  readonly tables: number;
  readonly tablesStuck: number;
  /** The table with the least room; undefined when no cloud says how much there is. */
  readonly fullest:
    | { readonly id: string; readonly name: string; readonly used: number; readonly most: number }
    | undefined;
}

/** One node's routes and pod ranges, also when it is gone. */
export interface NodeRoutesView extends Unread<ObjectPart> {
  /** Undefined when the route controller has not looked at it. */
  readonly row: RouteRow | undefined;
  /** Undefined when the pod ranges are not given by our IPAM. */
  readonly ranges: NodeRangesDetail | undefined;
  readonly goneAt: number | undefined;
  readonly openIntents: readonly ListedIntent[];
}

export interface RouteTableView extends Omit<RouteTableDetail, "kind" | "foreign"> {
  readonly id: string;
  readonly state: State;
  readonly reason: Reason;
  readonly since: number;
  readonly forecast: RouteForecast | undefined;
}

/** How long the room of a table lasts; undefined when the cloud does not say how much it has. */
export interface RouteForecast {
  /** Routes that a current node has in it. */
  readonly routesPerNode: number;
  /** How many more nodes fit, once the current nodes have all of theirs. */
  readonly nodesFit: number;
  /** By how many nodes a day it has grown, and over how many days; undefined of a cluster too young to say. */
  readonly growth: { readonly nodesPerDay: number; readonly days: number } | undefined;
  /** In how many days it is full at that growth; undefined when it does not grow. */
  readonly fullInDays: number | undefined;
}

/** A route that is not ours and is left as it is. */
export interface ForeignRouteRow {
  readonly table: string;
  readonly tableName: string;
  readonly id: string;
  readonly name: string;
  readonly destination: string;
  readonly nextHop: string | undefined;
  readonly owner: string | undefined;
  readonly blackhole: boolean;
  /** Whether it lies in a range of the pods. */
  readonly inRange: boolean;
}

export const FOREIGN_SORTS = ["inRange", "destination"] as const;
export type ForeignSort = (typeof FOREIGN_SORTS)[number];

export interface ForeignFilter {
  /** Part of its id, name, destination, next hop or owner. */
  readonly text?: string | undefined;
  readonly table?: string | undefined;
}

export interface ForeignPage extends Page<ForeignRouteRow> {
  /** Those that the controller counted and did not list, because a table has too many. */
  readonly unlisted: number;
}

/** A route of ours that no Node asks for; it is deleted by itself. */
export interface StaleRouteRow extends RowOf<typeof staleRouteKind> {
  readonly openIntents: readonly ListedIntent[];
}

export type StaleSort = SortOf<typeof staleRouteKind>;
export type StaleFilter = FilterOf<typeof staleRouteKind>;

export interface StalePage extends Page<StaleRouteRow>, Unread<ObjectPart> {}

/** Of every node what the map of the route tables shows, in the order of their names; at most `ROUTE_MAP_MOST`. */
export interface RouteMapView {
  readonly nodes: readonly RouteMapNode[];
  /** Whether there are more nodes than the map takes. */
  readonly isCut: boolean;
}

export const ROUTE_MAP_MOST = 10_000;

/** What is not known is left out: thousands of nodes are sent at once. */
export interface RouteMapNode {
  readonly name: string;
  readonly cells: readonly RouteMapCell[];
}

export interface RouteMapCell {
  readonly cidr: string;
  readonly verdict: RouteVerdict;
  /** Id of the table that its route is in; of one without a route, that of the node's others. */
  readonly table?: string;
}
