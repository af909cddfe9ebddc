import type { RouteCell } from "@cloudwright/core/model/records/route-record";
import type { RouteMapColumns, RouteMapNode } from "@cloudwright/store/views/route-map";
import type {
  ForeignRouteRow,
  RouteForecast,
  RouteRow,
  RouteTableView,
  StaleRouteRow,
} from "@cloudwright/store/views/routes";

export function routeCell(cidr: string, over: Partial<RouteCell> = {}): RouteCell {
  const family = cidr.includes(":") ? "IPv6" : "IPv4";
  const wantedNextHop = "sandbox://w-1";
  return { ...{ cidr, family, verdict: "keep", wantedNextHop }, ...over };
}

/** Returns the cloud's route of a cell. */
export function cloudRoute(
  over: Partial<NonNullable<RouteCell["route"]>> = {},
): NonNullable<RouteCell["route"]> {
  return {
    ...{ id: "r-1", table: "rtb-a", name: "w-1", destination: "10.0.0.0/24" },
    nextHop: "sandbox://w-1",
    ...over,
  };
}

export function routeRow(name: string, over: Partial<RouteRow> = {}): RouteRow {
  return {
    ...{ name, uid: `uid-${name}`, state: "ok", controller: "node-route-controller" },
    ...{ drift: "inStep", providerID: undefined, reason: { code: "RouteInStep", routes: 1 } },
    ...{ since: 0, nextAt: undefined, failures: 0, updatedAt: 0, asOf: undefined },
    lastRun: { id: "r-1", outcome: "unchanged", at: 0 },
    ...{ cells: [], condition: undefined, table: undefined },
    ...over,
  };
}

export function forecast(over: Partial<RouteForecast> = {}): RouteForecast {
  return { routesPerNode: 1, nodesFit: 10, growth: undefined, fullInDays: undefined, ...over };
}

export function tableView(id: string, over: Partial<RouteTableView> = {}): RouteTableView {
  return {
    ...{ id, tableName: id, used: 40, capacity: 50, ours: 40, missing: 0 },
    ...{ foreignCount: 0, asOf: 0, state: "ok", since: 0, forecast: forecast() },
    reason: { code: "RouteTableSeen", used: 40, capacity: 50, foreign: 0 },
    ...over,
  };
}

export function foreignRoute(id: string, over: Partial<ForeignRouteRow> = {}): ForeignRouteRow {
  return {
    ...{ id, table: "rtb-a", tableName: "main", name: "vpn", destination: "192.168.0.0/16" },
    ...{ nextHop: "gw-1", owner: undefined, blackhole: false, inRange: false },
    ...over,
  };
}

export function staleRoute(name: string, over: Partial<StaleRouteRow> = {}): StaleRouteRow {
  return {
    ...{ name, uid: name, state: "waiting", controller: "node-route-controller" },
    ...{ drift: "drifted", reason: { code: "RouteInStep", routes: 1 }, providerID: undefined },
    ...{ since: 0, nextAt: undefined, failures: 0, updatedAt: 0, openIntents: [] },
    lastRun: { id: "r-1", outcome: "unchanged", at: 0 },
    detail: { kind: "route", table: "rtb-a", destination: "10.0.9.0/24", blackhole: false },
    ...over,
  };
}

/** What the server sends for the map of these nodes. */
export function routeMapColumns(nodes: readonly RouteMapNode[]): RouteMapColumns {
  const cells = nodes.flatMap((node) => node.cells);
  const words = [...new Set(cells.flatMap(({ table }) => table ?? []))];
  return {
    words,
    names: nodes.map(({ name }) => name),
    cellCounts: nodes.map((node) => node.cells.length),
    cidrs: cells.map(({ cidr }) => cidr),
    verdicts: cells.map(({ verdict }) => verdict),
    tables: cells.map(({ table }) => words.indexOf(table ?? "")),
    isCut: false,
  };
}
