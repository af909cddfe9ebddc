import type { CloudChange, LoadBalancerOwner } from "@cloudwright/provider-api";
import { ANNOTATION_PREFIX } from "./annotations.ts";
import { bodyOf, changeOf } from "./changes.ts";
import { type Decision, inProgress } from "./decision.ts";
import { attachedTo, releaseOf } from "./floating-ips.ts";
import type { LoadBalancerConfig } from "./networks.ts";
import { isPending, type LoadBalancerTree, type ObservedLoadBalancer } from "./observed.ts";
import {
  hasOwner,
  isFormerName,
  keepsFloatingIp,
  loadBalancerName,
  marksOf,
  namesOf,
  tagsWithout,
  UPSTREAM_PREFIX,
  usersOf,
} from "./ownership.ts";
import { isOwn, listenerRemoval } from "./plan/plan-listeners.ts";
import { planSecurityGroupRemoval } from "./security-groups.ts";
import { sendOf } from "./tree-change.ts";

/**
 * Removes everything that belongs to the owner, whatever its annotations say now: load balancers with floating IPs first, and the
 * security group when no load balancer needs it any more (spec §6.11).
 */
export function planRemoval(
  owner: LoadBalancerOwner,
  observed: ObservedLoadBalancer,
  config: LoadBalancerConfig,
): Decision {
  const { owned } = observed;
  const busy = owned.find(isPending);
  const changes = owned
    .filter((one) => !isPending(one))
    .flatMap((one) => removalOf(one, { owner, observed, config }));
  if (owned.length > 0)
    return { changes, next: busy === undefined ? { kind: "settled" } : inProgress(busy) };
  return {
    changes: [...strayFloatingIps(owner, observed), ...planSecurityGroupRemoval(owner, observed)],
    next: { kind: "settled" },
  };
}

export interface RemovalFacts {
  readonly owner: LoadBalancerOwner;
  readonly observed: ObservedLoadBalancer;
  readonly config: LoadBalancerConfig;
}

/** A load balancer that others use, or that a user created under another name, stays, without this Service's parts. */
export function removalOf(
  loadBalancer: LoadBalancerTree,
  facts: RemovalFacts,
): readonly CloudChange[] {
  if (isKept(loadBalancer, facts.owner)) return leave(loadBalancer, facts.owner);
  return [...floatingIpRelease(loadBalancer, facts), ...deletionOf(loadBalancer, facts.config)];
}

export function isKept(loadBalancer: LoadBalancerTree, owner: LoadBalancerOwner): boolean {
  const { name } = loadBalancer;
  const isOurs = (user: string) => user === loadBalancerName(owner) || isFormerName(user, owner);
  const isShared =
    !usersOf(loadBalancer).every(isOurs) || marksOf(loadBalancer).services.length > 1;
  return isShared || !(name.startsWith(UPSTREAM_PREFIX) || namesOf(owner).includes(name));
}

/** Removes its listeners one by one, and our tags last, so that the remaining work stays known until the end. */
function leave(loadBalancer: LoadBalancerTree, owner: LoadBalancerOwner): readonly CloudChange[] {
  const { inside, id, tags: before } = loadBalancer;
  if (inside === undefined) return [];
  const [listener] = inside.listeners.filter((one) => isOwn(one, owner, loadBalancer));
  if (listener !== undefined)
    return listenerRemoval({ inside, loadBalancer }, listener).slice(0, 1);
  const tags = tagsWithout(loadBalancer, owner);
  return [
    changeOf(
      {
        action: "update",
        what: "load balancer",
        target: id,
        before: { tags: before },
        after: { tags },
      },
      sendOf(loadBalancer, {
        ...{ method: "PUT", resource: "loadbalancer", path: `loadbalancers/${id}` },
        // Older services refuse an empty list.
        body: bodyOf({ loadbalancer: { tags: tags.length === 0 ? [""] : tags } }),
      }),
    ),
  ];
}

function floatingIpRelease(loadBalancer: LoadBalancerTree, facts: RemovalFacts) {
  const { owner, observed } = facts;
  const floatingIp = attachedTo(loadBalancer, observed.floatingIps);
  if (floatingIp === undefined) return [];
  const isToStay = keepsAddress(facts, loadBalancer);
  return [releaseOf(floatingIp, owner, { keepsFloatingIp: isToStay })];
}

function keepsAddress({ owner }: Pick<RemovalFacts, "owner">, loadBalancer?: LoadBalancerTree) {
  const asked = owner.annotations?.[`${ANNOTATION_PREFIX}keep-floatingip`] === "true";
  return asked || (loadBalancer !== undefined && keepsFloatingIp(loadBalancer));
}

/** Deletes everything in one cascade, or the parts first, one after the other. */
export function deletionOf(
  loadBalancer: LoadBalancerTree,
  { loadBalancer: { cascadeDelete } }: LoadBalancerConfig,
): readonly CloudChange[] {
  const { id, name, vip_address, inside } = loadBalancer;
  const [listener] = inside?.listeners ?? [];
  if (!cascadeDelete && inside !== undefined && listener !== undefined)
    return listenerRemoval({ inside, loadBalancer }, listener).slice(0, 1);
  return [
    changeOf(
      {
        action: "delete",
        what: "load balancer",
        target: id,
        before: { name, address: vip_address },
      },
      {
        ...{ kind: "send", service: "load-balancer", method: "DELETE", resource: "loadbalancer" },
        path: `loadbalancers/${id}`,
        ...(cascadeDelete ? { query: { cascade: "true" } } : {}),
      },
    ),
  ];
}

/** Finds floating IPs whose load balancer was deleted by somebody else, or between two of our calls. */
function strayFloatingIps(owner: LoadBalancerOwner, observed: ObservedLoadBalancer) {
  const isToStay = keepsAddress({ owner });
  return observed.floatingIps
    .filter((one) => one.port_id === "" && hasOwner(one, owner))
    .map((one) => releaseOf(one, owner, { keepsFloatingIp: isToStay }));
}
