import { strict as assert } from "node:assert";
import type { CloudRoute, RouteMark, RouteWish } from "../../routes.ts";
import type { BenchContexts } from "../contexts-of-bench.ts";
import type { RouteNeed, RoutesFixture, SeenRoute } from "./fixture.ts";

/** A provider under test and what it sent so far. */
export interface RoutesBench extends BenchContexts {
  readonly fixture: RoutesFixture;
}

export interface RouteBenchCase {
  readonly name: string;
  readonly needs?: readonly RouteNeed[];
  /** Only where the cloud's routes carry marks. */
  readonly ofMarks?: true;
  check(bench: RoutesBench): Promise<void>;
}

export const CLUSTER = "11111111-1111-4111-8111-111111111111";
export const OTHER_CLUSTER = "22222222-2222-4222-8222-222222222222";

/** A Node's mark; the UIDs of different Nodes differ. */
export function markOf(node: string, clusterUid: string = CLUSTER): RouteMark {
  const number = node.replace(/\D/g, "").padStart(12, "0");
  const objectUid = `${clusterUid.slice(0, 8)}-0000-4000-8000-${number}`;
  return { clusterUid, objectUid, clusterName: "kubernetes", node };
}

/** The destination of a Node by its number: `10.120.7.0/24` of `w-7`. */
export function rangeOf(node: string): string {
  const number = Number(node.replace(/\D/g, ""));
  return `10.${120 + Math.floor(number / 256)}.${number % 256}.0/24`;
}

export interface NodeWish {
  readonly providerID?: string | undefined;
  readonly destination?: string;
  readonly clusterUid?: string;
}

export function wishFor(node: string, more: NodeWish = {}): RouteWish {
  return {
    mark: markOf(node, more.clusterUid),
    destination: more.destination ?? rangeOf(node),
    target: { nodeName: node, providerID: more.providerID },
    targetAddresses: [],
  };
}

/** Makes the machine of a Node and the route to it. */
export async function serve(
  bench: RoutesBench,
  node: string,
  more: Omit<NodeWish, "providerID"> = {},
): Promise<{ readonly route: CloudRoute; readonly providerID: string }> {
  const providerID = await bench.fixture.createMachine(node);
  const route = await create(bench, wishFor(node, { ...more, providerID }));
  return { route, providerID };
}

export function create(bench: RoutesBench, wish: RouteWish): Promise<CloudRoute> {
  return bench.fixture.routes.create(wish, bench.context());
}

export function remove(bench: RoutesBench, route: CloudRoute): Promise<void> {
  return bench.fixture.routes.remove(route, bench.context());
}

export async function list(bench: RoutesBench): Promise<readonly CloudRoute[]> {
  return (await bench.fixture.routes.list(bench.context())).routes;
}

/** The listed route of an id; fails when it is not listed once. */
export async function listed(bench: RoutesBench, id: string): Promise<CloudRoute> {
  const all = (await list(bench)).filter((route) => route.id === id);
  const [one] = all;
  assert.ok(one !== undefined && all.length === 1, `The listing has ${id} ${all.length} times.`);
  return one;
}

/** The one route of the table; fails when there is none or more than one. */
export async function onlyOne({ fixture }: RoutesBench): Promise<SeenRoute> {
  const all = await fixture.table();
  const [one] = all;
  assert.ok(
    one !== undefined && all.length === 1,
    `There are ${all.length} routes instead of one.`,
  );
  return one;
}
