import { isDeepStrictEqual } from "node:util";
import type { CloudChange, LoadBalancerOwner } from "@cloudwright/provider-api";
import { bodyOf, changeOf, jsonOf } from "../changes.ts";
import type { DesiredListener } from "../desired-listener.ts";
import type { Listener, LoadBalancerTree } from "../observed.ts";
import { isFormerName, isGuest, loadBalancerName, usersOf } from "../ownership.ts";
import { sendOf, type TreeFacts } from "../tree-change.ts";
import { createPool, deletePool, poolChanges } from "./plan-pools.ts";

/**
 * Returns all changes inside a load balancer, in order. Octavia takes one such change at a time and is busy afterwards, so only
 * the first is made now; the next ones are planned from the state after it.
 */
export function treeChanges(facts: TreeFacts): readonly CloudChange[] {
  const { desired } = facts;
  const inTheWay = obsoleteListeners(facts).filter((one) =>
    desired.listeners.some((wanted) => standsInTheWay(one, wanted)),
  );
  return [
    ...inTheWay.flatMap((listener) => listenerRemoval(facts, listener)),
    ...desired.listeners.flatMap((wanted) => listenerChanges(facts, wanted)),
    ...obsoleteListeners(facts)
      .filter((listener) => !inTheWay.includes(listener))
      .flatMap((listener) => listenerRemoval(facts, listener)),
  ];
}

/** Returns the other users of a listener that this Service needs; undefined if it may have it. */
export function takenBy({ owner, desired, inside, loadBalancer }: TreeFacts) {
  for (const wanted of desired.listeners) {
    const there = inside.listeners.find((one) => sharesPort(one, wanted));
    if (there === undefined || isOwn(there, owner, loadBalancer)) continue;
    return { wanted, users: usersOf(there) };
  }
  return undefined;
}

const DATAGRAMS: ReadonlySet<string> = new Set(["UDP", "SCTP"]);

/** All protocols that Octavia carries over TCP share their ports, however they treat connections. */
function transportOf(protocol: string): string {
  return DATAGRAMS.has(protocol) ? protocol : "TCP";
}

function sharesPort(listener: Listener, wanted: DesiredListener): boolean {
  return (
    listener.protocol_port === wanted.port &&
    transportOf(listener.protocol) === transportOf(wanted.protocol)
  );
}

function standsInTheWay(listener: Listener, wanted: DesiredListener): boolean {
  return sharesPort(listener, wanted) && listener.protocol !== wanted.protocol;
}

function isSame(listener: Listener, wanted: DesiredListener): boolean {
  return sharesPort(listener, wanted) && listener.protocol === wanted.protocol;
}

/**
 * Reports whether a listener is this Service's: by its tag, or if it has none, because the Service alone uses the load balancer.
 * An untagged listener of a shared load balancer belongs to somebody else.
 */
export function isOwn(
  listener: Listener,
  owner: LoadBalancerOwner,
  loadBalancer: LoadBalancerTree,
): boolean {
  const users = usersOf(listener);
  const isOurs = (user: string) => user === loadBalancerName(owner) || isFormerName(user, owner);
  if (users.length > 0) return users.some(isOurs);
  return !isGuest(loadBalancer, owner) && usersOf(loadBalancer).every(isOurs);
}

function obsoleteListeners({
  owner,
  desired,
  inside,
  loadBalancer,
}: TreeFacts): readonly Listener[] {
  return inside.listeners.filter(
    (one) =>
      isOwn(one, owner, loadBalancer) && !desired.listeners.some((wanted) => isSame(one, wanted)),
  );
}

/** Removes the listener's pool with members and monitor first, as upstream does. */
export function listenerRemoval(
  { inside, loadBalancer }: Pick<TreeFacts, "inside" | "loadBalancer">,
  listener: Listener,
): readonly CloudChange[] {
  const pool = inside.pools.find(({ id }) => id === listener.default_pool_id);
  const { id, name, protocol, protocol_port } = listener;
  return [
    ...(pool === undefined ? [] : [deletePool(loadBalancer, pool)]),
    changeOf(
      {
        ...{ action: "delete", what: `listener ${protocol_port}/${protocol}`, target: id },
        before: { name, protocol, port: protocol_port },
      },
      sendOf(loadBalancer, { method: "DELETE", resource: "listener", path: `listeners/${id}` }),
    ),
  ];
}

function listenerChanges(facts: TreeFacts, wanted: DesiredListener): readonly CloudChange[] {
  const { inside, loadBalancer, owner } = facts;
  const listener = inside.listeners.find((one) => isSame(one, wanted));
  if (listener === undefined) return [createListener(facts, wanted)];
  const pool = inside.pools.find(({ id }) => id === listener.default_pool_id);
  return [
    ...listenerUpdate(loadBalancer, { listener, wanted, owner }),
    ...(pool === undefined
      ? [createPool(facts, wanted, listener)]
      : poolChanges(facts, { pool, wanted, listener })),
  ];
}

function whatOf({ port, protocol }: DesiredListener): string {
  return `listener ${port}/${protocol}`;
}

function createListener({ loadBalancer, owner, desired }: TreeFacts, wanted: DesiredListener) {
  const { protocol, port, fields } = wanted;
  const tags = desired.features.tags ? { tags: [loadBalancerName(owner)] } : {};
  const listener = {
    ...{ loadbalancer_id: loadBalancer.id, protocol, protocol_port: port },
    ...fields,
    ...tags,
  };
  return changeOf(
    { action: "create", what: whatOf(wanted), target: fields.name, after: listener },
    sendOf(loadBalancer, {
      ...{ method: "POST", resource: "listener", path: "listeners" },
      body: bodyOf({ listener }),
    }),
  );
}

interface ListenerPair {
  readonly listener: Listener;
  readonly wanted: DesiredListener;
  readonly owner: LoadBalancerOwner;
}

/** Tags of other Services stay on it. */
function listenerUpdate(
  loadBalancer: LoadBalancerTree,
  pair: ListenerPair,
): readonly CloudChange[] {
  const { listener, wanted } = pair;
  const differing = differingListenerFields(pair);
  if (Object.keys(differing).length === 0) return [];
  const before = Object.fromEntries(
    Object.keys(differing).map((field) => [field, Reflect.get(listener, field)]),
  );
  return [
    changeOf(
      { action: "update", what: whatOf(wanted), target: listener.id, before, after: differing },
      sendOf(loadBalancer, {
        ...{ method: "PUT", resource: "listener", path: `listeners/${listener.id}` },
        body: bodyOf({ listener: differing }),
      }),
    ),
  ];
}

/** Its name is not changed: the positions of ports change, and a listener is identified by its port. */
function differingListenerFields({ listener, wanted, owner }: ListenerPair) {
  const { name: _name, ...compared } = wanted.fields;
  const entries = Object.entries(compared).filter(
    ([field, value]) => !isAlike(field, Reflect.get(listener, field), value),
  );
  const users = usersOf(listener);
  const name = loadBalancerName(owner);
  const needsTag = users.length > 0 && !users.includes(name);
  const tags = [...listener.tags.filter((tag) => tag !== users[0] || users.length > 1), name];
  return { ...Object.fromEntries(entries), ...(needsTag ? { tags } : {}) };
}

const OPEN: ReadonlySet<string> = new Set(["", "0.0.0.0/0", "::/0", "0.0.0.0/0,::/0"]);

/** Octavia's own defaults, absent fields and the order of ranges do not count as differences. */
export function isAlike(field: string, there: unknown, wanted: unknown): boolean {
  if (field === "allowed_cidrs") {
    const [left, right] = [listed(there), listed(wanted)];
    return left === right || (OPEN.has(left) && OPEN.has(right));
  }
  return isDeepStrictEqual(jsonOf(there ?? DEFAULTS[field]), jsonOf(wanted));
}

const DEFAULTS: Readonly<Record<string, unknown>> = {
  connection_limit: -1,
  timeout_client_data: 50_000,
  timeout_member_connect: 5_000,
  timeout_member_data: 50_000,
  timeout_tcp_inspect: 0,
};

function listed(ranges: unknown): string {
  return Array.isArray(ranges) ? [...ranges].sort().join(",") : "";
}
