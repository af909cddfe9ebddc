import type { ObjectState } from "@cloudwright/core/model/records/node-record";
import type {
  NodeRangesDetail,
  NodeRoutesDetail,
  RouteCell,
  RouteTableDetail,
  StaleRouteDetail,
} from "@cloudwright/core/model/records/route-record";
import { objectState } from "./records.ts";

const ROUTES = "node-route-controller";

/** Returns the route controller's state of a Node whose one route is in sync. */
export function nodeRoutesState(
  name: string,
  over: Partial<ObjectState> & { readonly reported?: Partial<NodeRoutesDetail> } = {},
): ObjectState {
  const { reported, ...rest } = over;
  return objectState({
    controller: ROUTES,
    name,
    reason: { code: "RouteInStep", routes: 1 },
    detail: {
      kind: "routes",
      cells: [routeCell()],
      condition: { status: "False", reason: "RouteCreated" },
      ...reported,
    } satisfies NodeRoutesDetail,
    ...rest,
  });
}

export function routeCell(over: Partial<RouteCell> = {}): RouteCell {
  const cidr = over.cidr ?? "10.244.1.0/24";
  return {
    cidr,
    family: "IPv4",
    verdict: "keep",
    route: cloudRoute({ destination: cidr }),
    wantedNextHop: "sandbox://i-1",
    ...over,
  };
}

export function cloudRoute(
  over: Partial<NonNullable<RouteCell["route"]>> = {},
): NonNullable<RouteCell["route"]> {
  return {
    id: "r-1",
    table: "rtb-a",
    name: "uid-w-1",
    destination: "10.244.1.0/24",
    nextHop: "sandbox://i-1",
    ...over,
  };
}

/** Returns a cell whose route is missing in the cloud. */
export function missingCell(cidr: string, over: Partial<RouteCell> = {}): RouteCell {
  const { route: _none, ...cell } = routeCell({ cidr, verdict: "missing", ...over });
  return cell;
}

export function tableState(
  id: string,
  over: Partial<ObjectState> & { readonly reported?: Partial<RouteTableDetail> } = {},
): ObjectState {
  const { reported, ...rest } = over;
  const at = over.at ?? Date.now();
  return objectState({
    controller: ROUTES,
    kind: "RouteTable",
    name: id,
    uid: id,
    reason: { code: "RouteTableSeen", used: 10, capacity: 50, foreign: 0 },
    detail: {
      kind: "table",
      tableName: `table ${id}`,
      used: 10,
      capacity: 50,
      ours: 10,
      missing: 0,
      foreignCount: reported?.foreign?.length ?? 0,
      foreign: [],
      asOf: at,
      ...reported,
    } satisfies RouteTableDetail,
    ...rest,
  });
}

export function foreignRoute(
  id: string,
  over: Partial<RouteTableDetail["foreign"][number]> = {},
): RouteTableDetail["foreign"][number] {
  return {
    id,
    name: `name-${id}`,
    destination: "10.244.9.0/24",
    blackhole: false,
    inRange: true,
    ...over,
  };
}

export function staleRouteState(
  id: string,
  over: Partial<ObjectState> & { readonly reported?: Partial<StaleRouteDetail> } = {},
): ObjectState {
  const { reported, ...rest } = over;
  return objectState({
    controller: ROUTES,
    kind: "Route",
    name: id,
    uid: id,
    state: "working",
    reason: { code: "RouteStale", destination: "10.244.7.0/24", why: "nodeGone" },
    drift: "drifted",
    detail: {
      kind: "route",
      table: "rtb-a",
      destination: "10.244.7.0/24",
      blackhole: false,
      ...reported,
    } satisfies StaleRouteDetail,
    ...rest,
  });
}

export function nodeRangesState(name: string, over: Partial<ObjectState> = {}): ObjectState {
  return objectState({
    controller: "node-ipam-controller",
    name,
    reason: { code: "PodCIDRsInStep", cidrs: ["10.244.1.0/24"] },
    detail: {
      kind: "ranges",
      podCIDRs: ["10.244.1.0/24"],
      pools: [{ clusterCIDR: "10.244.0.0/16", nodeMask: 24, capacity: 256, used: 3 }],
    } satisfies NodeRangesDetail,
    ...over,
  });
}
