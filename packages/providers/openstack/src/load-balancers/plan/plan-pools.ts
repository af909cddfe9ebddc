import { isDeepStrictEqual } from "node:util";
import type { CloudChange } from "@cloudwright/provider-api";
import { bodyOf, changeOf } from "../changes.ts";
import type { DesiredListener, DesiredMember, DesiredPool } from "../desired-listener.ts";
import type { Listener, LoadBalancerTree, Member, PoolTree } from "../observed.ts";
import { sendOf, type TreeFacts } from "../tree-change.ts";

export function createPool(
  facts: TreeFacts,
  { pool }: DesiredListener,
  listener: Listener,
): CloudChange {
  const { name, protocol, lb_algorithm, session_persistence } = pool;
  const fields = {
    ...{ listener_id: listener.id, name, protocol, lb_algorithm },
    ...(session_persistence === null ? {} : { session_persistence }),
  };
  return changeOf(
    { action: "create", what: "pool", target: name, after: fields },
    sendOf(facts.loadBalancer, {
      ...{ method: "POST", resource: "pool", path: "pools" },
      body: bodyOf({ pool: fields }),
    }),
  );
}

export function deletePool(
  loadBalancer: LoadBalancerTree,
  { id, name, protocol }: PoolTree,
): CloudChange {
  return changeOf(
    { action: "delete", what: "pool", target: id, before: { name, protocol } },
    sendOf(loadBalancer, { method: "DELETE", resource: "pool", path: `pools/${id}` }),
  );
}

export interface PoolPair {
  readonly pool: PoolTree;
  readonly wanted: DesiredListener;
  readonly listener: Listener;
}

/** Octavia fixes a pool's protocol when it is created: another protocol needs another pool. */
export function poolChanges(
  facts: TreeFacts,
  { pool, wanted, listener }: PoolPair,
): readonly CloudChange[] {
  const { loadBalancer } = facts;
  if (pool.protocol !== wanted.pool.protocol)
    return [deletePool(loadBalancer, pool), createPool(facts, wanted, listener)];
  const { lb_algorithm, session_persistence } = wanted.pool;
  const before = { lb_algorithm: pool.lb_algorithm, session_persistence: persistenceOf(pool) };
  const after = { lb_algorithm, session_persistence };
  const update = changeOf(
    { action: "update", what: "pool", target: pool.id, before, after },
    sendOf(loadBalancer, {
      ...{ method: "PUT", resource: "pool", path: `pools/${pool.id}` },
      body: bodyOf({ pool: after }),
    }),
  );
  return [
    ...(isDeepStrictEqual(before, after) ? [] : [update]),
    ...memberChanges(facts, pool, wanted.pool),
    ...monitorChanges(loadBalancer, pool, wanted.pool),
  ];
}

export function persistenceOf({ session_persistence }: PoolTree) {
  const type = session_persistence?.type ?? "";
  return type === "" ? null : { type };
}

/** Identifies a member: by everything that a client may set. The monitor port counts if it was read. */
function memberKey({ name, address, protocol_port }: Member | DesiredMember): string {
  return `${name} ${address}:${protocol_port}`;
}

function isSameMember(pool: PoolTree, subnetId: string, wanted: DesiredMember) {
  return (there: Member) =>
    memberKey(there) === memberKey(wanted) &&
    (!pool.hasDetails ||
      ((there.monitor_port ?? null) === wanted.monitor_port && isInSubnet(there, subnetId)));
}

function isInSubnet({ subnet_id }: Member, subnetId: string): boolean {
  return subnetId === "" || subnet_id === undefined || subnet_id === null || subnet_id === subnetId;
}

/** Returns members in the wrong subnet, as far as their subnets were read. */
export function misplacedMembers(pool: PoolTree, subnetId: string): readonly Member[] {
  return pool.hasDetails ? pool.tree.filter((one) => !isInSubnet(one, subnetId)) : [];
}

/**
 * Changes all members of a pool in one request, or one per request in serial mode. A member in the wrong subnet is removed first
 * and then added again.
 */
function memberChanges(
  facts: TreeFacts,
  pool: PoolTree,
  desired: DesiredPool,
): readonly CloudChange[] {
  const { memberSubnetId: subnet } = facts;
  const missing = desired.members.filter((one) => !pool.tree.some(isSameMember(pool, subnet, one)));
  const extra = pool.tree.filter(
    (there) => !desired.members.some((one) => isSameMember(pool, subnet, one)(there)),
  );
  if (missing.length === 0 && extra.length === 0) return [];
  if (facts.isSerial) return [oneMember(facts, pool, { missing, extra })];
  const places = new Set(misplacedMembers(pool, subnet).map(({ address }) => address));
  const next = desired.members.filter(({ address }) => !places.has(address));
  return [replaceMembers(facts, pool, next)];
}

function replaceMembers(
  facts: TreeFacts,
  pool: PoolTree,
  next: readonly DesiredMember[],
): CloudChange {
  const { memberSubnetId } = facts;
  const members = next.map((one) => memberBody(one, memberSubnetId));
  return changeOf(
    {
      ...{ action: "members", what: `members of ${pool.name}`, target: pool.id },
      before: { members: { count: pool.tree.length } },
      after: { members: differenceOf(facts, pool, next) },
    },
    sendOf(facts.loadBalancer, {
      ...{ method: "PUT", resource: "members", path: `pools/${pool.id}/members` },
      body: bodyOf({ members }),
      memberIds: memberIdsOf(facts),
    }),
  );
}

function oneMember(
  facts: TreeFacts,
  pool: PoolTree,
  { missing, extra }: { missing: readonly DesiredMember[]; extra: readonly Member[] },
): CloudChange {
  const [gone] = extra;
  const words = { action: "members", what: `members of ${pool.name}`, target: pool.id } as const;
  const before = { members: { count: pool.tree.length } };
  if (gone !== undefined) {
    const next = facts.desired.listeners.flatMap((one) => one.pool.members);
    const after = {
      members: { ...differenceOf(facts, pool, next), added: [], count: pool.tree.length - 1 },
    };
    const path = `pools/${pool.id}/members/${gone.id}`;
    return changeOf(
      { ...words, before, after },
      sendOf(facts.loadBalancer, { method: "DELETE", resource: "member", path }),
    );
  }
  const [member] = missing;
  const added = memberIdsOf(facts)[member?.address ?? ""];
  const after = { members: { added: [added ?? ""], removed: [], count: pool.tree.length + 1 } };
  return changeOf(
    { ...words, before, after },
    sendOf(facts.loadBalancer, {
      ...{ method: "POST", resource: "member", path: `pools/${pool.id}/members` },
      body: bodyOf({
        member: member === undefined ? {} : memberBody(member, facts.memberSubnetId),
      }),
      memberIds: memberIdsOf(facts),
    }),
  );
}

export function memberBody(member: DesiredMember, subnetId: string) {
  const { name, address, protocol_port, monitor_port } = member;
  return {
    ...{ name, address, protocol_port },
    ...(monitor_port === null ? {} : { monitor_port }),
    ...(subnetId === "" ? {} : { subnet_id: subnetId }),
  };
}

/** Returns provider IDs by node address. */
export function memberIdsOf({ spec }: Pick<TreeFacts, "spec">): Readonly<Record<string, string>> {
  return Object.fromEntries(
    spec.members.flatMap(({ providerID, addresses }) =>
      addresses.map(({ address }) => [address, providerID] as const),
    ),
  );
}

function differenceOf(facts: TreeFacts, pool: PoolTree, next: readonly DesiredMember[]) {
  const ids = memberIdsOf(facts);
  const idOf = ({ address, name }: { address: string; name: string }) => ids[address] ?? name;
  const before = new Set(pool.tree.map(idOf));
  const after = new Set(next.map(idOf));
  return {
    added: [...after].filter((one) => !before.has(one)),
    removed: [...before].filter((one) => !after.has(one)),
    count: next.length,
  };
}

const UPDATABLE = [
  ...(["delay", "timeout", "max_retries", "max_retries_down"] as const),
  ...(["url_path", "http_method", "expected_codes"] as const),
];

function monitorChanges(
  loadBalancer: LoadBalancerTree,
  pool: PoolTree,
  { monitor: wanted }: DesiredPool,
): readonly CloudChange[] {
  const { monitor: there } = pool;
  const deletion = (id: string, before: Readonly<Record<string, unknown>>) =>
    changeOf(
      { action: "delete", what: "health monitor", target: id, before },
      sendOf(loadBalancer, {
        method: "DELETE",
        resource: "healthmonitor",
        path: `healthmonitors/${id}`,
      }),
    );
  if (wanted === undefined)
    return there === undefined ? [] : [deletion(there.id, { type: there.type })];
  const fields = { pool_id: pool.id, ...wanted };
  const creation = changeOf(
    { action: "create", what: "health monitor", target: wanted.name, after: fields },
    sendOf(loadBalancer, {
      ...{ method: "POST", resource: "healthmonitor", path: "healthmonitors" },
      body: bodyOf({ healthmonitor: fields }),
    }),
  );
  if (there === undefined) return [creation];
  if (there.type !== wanted.type) return [deletion(there.id, { type: there.type }), creation];
  const differing = UPDATABLE.filter(
    (field) => wanted[field] !== undefined && there[field] !== wanted[field],
  );
  if (differing.length === 0) return [];
  const of = (from: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(differing.map((field) => [field, from[field]]));
  const after = of({ ...wanted });
  return [
    changeOf(
      {
        action: "update",
        what: "health monitor",
        target: there.id,
        before: of({ ...there }),
        after,
      },
      sendOf(loadBalancer, {
        ...{ method: "PUT", resource: "healthmonitor", path: `healthmonitors/${there.id}` },
        body: bodyOf({ healthmonitor: after }),
      }),
    ),
  ];
}
