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
} from "@cloudwright/core/model/records/route-record";
import type { State } from "@cloudwright/core/model/state";
import type { ObjectPart } from "./object-view.ts";
import type { Unread } from "./unread.ts";
import type { ObjectCounts, Page } from "./views.ts";

/** The content of the Routes page (UX.md section 7). Times are milliseconds since the epoch. */

/** A node as the route controller sees it; state, reason and run are that controller's. */
export interface RouteRow extends Omit<RowOf<typeof nodeRoutesKind>, "detail"> {
  /** Its pod ranges in the Node's order, each with its route; empty while it has none. */
  readonly cells: readonly RouteCell[];
  /** The Node's condition NetworkUnavailable. */
  readonly condition: NodeRoutesDetail["condition"];
  /** When the cloud reported it. */
  readonly asOf: number | undefined;
}

export const ROUTE_SORTS = sortsOf(nodeRoutesKind);
export type RouteSort = SortOf<typeof nodeRoutesKind>;
export type RoutesFilter = FilterOf<typeof nodeRoutesKind>;

export interface RoutesPage extends Page<RouteRow> {
  readonly counts: RouteCounts;
  /** The families of the pod ranges that the leader has, whatever the filter; empty before it has reported. */
  readonly families: readonly RouteCell["family"][];
}

/** For the whole cluster, whatever the filter. */
export interface RouteCounts extends ObjectCounts {
  /** Routes that the nodes ask for, and how many of them are in sync. */
  readonly wanted: number;
  readonly inStep: number;
  /** Our routes that no Node asks for. */
  readonly stale: number;
  readonly staleStuck: number;
  /** Routes in the tables that are not ours. */
  readonly foreign: number;
  readonly tables: number;
  readonly tablesStuck: number;
  /** The fullest table; undefined when the cloud reports no limits. */
  readonly fullest:
    | { readonly id: string; readonly name: string; readonly used: number; readonly most: number }
    | undefined;
}

/** One node's routes and pod ranges, even if it is gone. */
export interface NodeRoutesView extends Unread<ObjectPart> {
  /** Undefined when the route controller has not observed it. */
  readonly row: RouteRow | undefined;
  /** Undefined when our IPAM does not assign the pod ranges. */
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

/** How long a table's room lasts; undefined when the cloud reports no limit. */
export interface RouteForecast {
  /** Routes per current node in the table. */
  readonly routesPerNode: number;
  /** How many more nodes fit, once the current nodes have all their routes. */
  readonly nodesFit: number;
  /** Its growth in nodes per day, and over how many days; undefined for a cluster that is too young. */
  readonly growth: { readonly nodesPerDay: number; readonly days: number } | undefined;
  /** In how many days it is full at that growth; undefined when it does not grow. */
  readonly fullInDays: number | undefined;
}

/** A route that is not ours and is left alone. */
export interface ForeignRouteRow {
  readonly table: string;
  readonly tableName: string;
  readonly id: string;
  readonly name: string;
  readonly destination: string;
  readonly nextHop: string | undefined;
  readonly owner: string | undefined;
  readonly blackhole: boolean;
  /** Whether it lies within a pod range. */
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
  /** Routes that the controller counted but did not list, because a table has too many. */
  readonly unlisted: number;
}

/** Our route that no Node asks for; the controller deletes it. */
export interface StaleRouteRow extends RowOf<typeof staleRouteKind> {
  readonly openIntents: readonly ListedIntent[];
}

export type StaleSort = SortOf<typeof staleRouteKind>;
export type StaleFilter = FilterOf<typeof staleRouteKind>;

export interface StalePage extends Page<StaleRouteRow>, Unread<ObjectPart> {}
