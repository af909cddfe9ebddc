import { strict as assert } from "node:assert";
import type { CloudRoute, RouteOwner, RouteSpec } from "../../routes.ts";
import type { KitCase, Subject } from "../conformance-case.ts";
import type { RouteNeed, RoutesFixture, SeenRoute } from "./fixture.ts";

export type RoutesSubject = Subject<RoutesFixture>;
export type RouteCase = KitCase<RoutesFixture, RouteNeed>;

export const CLUSTER = "11111111-1111-4111-8111-111111111111";
export const OTHER_CLUSTER = "22222222-2222-4222-8222-222222222222";

/** Returns the owner identity of a Node; different Nodes have different UIDs. */
export function ownerOf(node: string, clusterUid: string = CLUSTER): RouteOwner {
  const number = node.replace(/\D/g, "").padStart(12, "0");
  const objectUid = `${clusterUid.slice(0, 8)}-0000-4000-8000-${number}`;
  return { clusterUid, objectUid, clusterName: "kubernetes", node };
}

/** Returns a Node's destination by its number: `10.120.7.0/24` for `w-7`. */
export function rangeOf(node: string): string {
  const number = Number(node.replace(/\D/g, ""));
  return `10.${120 + Math.floor(number / 256)}.${number % 256}.0/24`;
}

export interface NodeOptions {
  readonly providerID?: string | undefined;
  readonly destination?: string;
  readonly clusterUid?: string;
}

export function optionsFor(node: string, more: NodeOptions = {}): RouteSpec {
  return {
    owner: ownerOf(node, more.clusterUid),
    destination: more.destination ?? rangeOf(node),
    target: { nodeName: node, providerID: more.providerID },
    targetAddresses: [],
  };
}

/** Creates a Node's machine and the route to it. */
export async function serve(
  subject: RoutesSubject,
  node: string,
  more: Omit<NodeOptions, "providerID"> = {},
): Promise<{ readonly route: CloudRoute; readonly providerID: string }> {
  const providerID = await subject.fixture.createMachine(node);
  const route = await create(subject, optionsFor(node, { ...more, providerID }));
  return { route, providerID };
}

export function create(subject: RoutesSubject, options: RouteSpec): Promise<CloudRoute> {
  return subject.fixture.routes.create(options, subject.context());
}

export function remove(subject: RoutesSubject, route: CloudRoute): Promise<void> {
  return subject.fixture.routes.remove(route, subject.context());
}

export async function list(subject: RoutesSubject): Promise<readonly CloudRoute[]> {
  return (await subject.fixture.routes.list(subject.context())).routes;
}

/** Returns the listed route with this id; fails unless it is listed exactly once. */
export async function listed(subject: RoutesSubject, id: string): Promise<CloudRoute> {
  const all = (await list(subject)).filter((route) => route.id === id);
  const [one] = all;
  assert.ok(one !== undefined && all.length === 1, `The listing has ${id} ${all.length} times.`);
  return one;
}

/** Returns the one route of the table; fails when there is none or more than one. */
export async function onlyOne({ fixture }: RoutesSubject): Promise<SeenRoute> {
  const all = await fixture.table();
  const [one] = all;
  assert.ok(
    one !== undefined && all.length === 1,
    `There are ${all.length} routes instead of one.`,
  );
  return one;
}
