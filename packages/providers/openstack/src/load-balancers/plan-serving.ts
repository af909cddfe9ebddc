import type { CloudChange, LoadBalancerNext, LoadBalancerNotice } from "@cloudwright/provider-api";
import { fixedNotices } from "./annotations.ts";
import { bodyOf, changeOf } from "./changes.ts";
import { type Decision, inProgress, type PlanFacts, type PlanInput } from "./decision.ts";
import { deletionOf, isKept, removalOf } from "./deletion.ts";
import { attachedTo, planFloatingIp } from "./floating-ips.ts";
import { isBroken, isPending, type LoadBalancerTree } from "./observed.ts";
import {
  DESCRIPTIONS,
  hasOwner,
  isFormerName,
  isGuest,
  loadBalancerName,
  markedDescription,
  tagsFor,
  usersOf,
} from "./ownership.ts";
import { takenBy, treeChanges } from "./plan-listeners.ts";
import { planRenames } from "./plan-renames.ts";
import { planSecurityGroup, planSecurityGroupRemoval } from "./security-groups.ts";
import { sendOf, type TreeFacts } from "./tree-change.ts";

export interface ServingFacts extends PlanFacts {
  readonly loadBalancer: LoadBalancerTree;
}

/** Brings the one load balancer that the Service has, or is to share, to what is asked for, and removes what is beside it. */
export function planServing(facts: ServingFacts): Decision {
  const { input, loadBalancer, options } = facts;
  const { owner, observed } = input;
  const extras = observed.owned.filter((one) => one !== loadBalancer);
  const busy = extras.find(isPending);
  const removals = extras
    .filter((one) => !isPending(one))
    .flatMap((one) => removalOf(one, { owner, observed, config: options }));
  const decision = planOne(facts);
  const isDone = decision.next.kind === "settled" && busy !== undefined;
  return {
    ...decision,
    changes: [...decision.changes, ...removals],
    next: isDone ? inProgress(busy) : decision.next,
  };
}

function planOne(facts: ServingFacts): Decision {
  const { input, loadBalancer } = facts;
  if (isPending(loadBalancer)) return { changes: [], next: inProgress(loadBalancer) };
  if (isBroken(loadBalancer)) return planBroken(facts);
  if (!hasOwner(loadBalancer, input.owner)) return planJoining(facts);
  const { inside } = loadBalancer;
  if (inside === undefined) return { changes: [], next: inProgress(loadBalancer) };
  const tree = treeOf(facts, inside);
  const taken = takenBy(tree);
  if (taken !== undefined) {
    const { port, protocol } = taken.wanted;
    const problem = `the load balancer ${loadBalancer.id} has that listener already, of ${taken.users.join(", ") || "somebody else"}`;
    return {
      changes: [],
      next: { kind: "unsupported", field: `port ${port}/${protocol}`, problem },
    };
  }
  const [first] = [...headChanges(facts), ...treeChanges(tree)];
  const beside = besideChanges(facts, tree);
  if (beside.refused !== undefined && first === undefined)
    return { changes: [], next: beside.refused, notices: beside.notices };
  return {
    changes: [...(first === undefined ? [] : [first]), ...beside.changes],
    next: nextOf(loadBalancer),
    notices: [...beside.notices, ...renameNotices(facts), ...unchangeable(facts)],
    isInternal: beside.isInternal,
  };
}

function unchangeable({ spec, loadBalancer, input }: ServingFacts): readonly LoadBalancerNotice[] {
  if (isGuest(loadBalancer, input.owner)) return [];
  return fixedNotices(spec.annotations, {
    "subnet-id": loadBalancer.vip_subnet_id,
    "network-id": loadBalancer.vip_network_id,
    "port-id": loadBalancer.vip_port_id,
    "flavor-id": loadBalancer.flavor_id,
    "availability-zone": loadBalancer.availability_zone,
  });
}

function renameNotices({ loadBalancer, input }: ServingFacts): readonly LoadBalancerNotice[] {
  const { name: former } = loadBalancer;
  const name = loadBalancerName(input.owner);
  if (former === name || !isFormerName(former, input.owner)) return [];
  const message = `The load balancer ${loadBalancer.id} and what is in it get the name ${name} instead of ${former}, because the cluster has another name now.`;
  return [{ type: "Normal", reason: "LoadBalancerRename", message }];
}

function treeOf(facts: ServingFacts, inside: TreeFacts["inside"]): TreeFacts {
  const { input, spec, desired, loadBalancer, options } = facts;
  return {
    ...{ owner: input.owner, spec, desired, loadBalancer, inside },
    memberSubnetId: desired.placement.memberSubnetId || loadBalancer.vip_subnet_id,
    isSerial: options.loadBalancer.providerRequiresSerialApiCalls,
  };
}

/** A listener, pool or monitor in ERROR does not heal by itself, and may not keep it from serving. */
function nextOf({ id, inside }: LoadBalancerTree): LoadBalancerNext {
  const broken = inside?.listeners.find(isBroken) ?? inside?.pools.find(isBroken);
  if (broken === undefined) return { kind: "settled" };
  const message = `${broken.name} is in ERROR; ensure the load balancer again, or delete ${broken.id} in the cloud so that it is created again`;
  return { kind: "broken", id, message };
}

/** The floating IP and the security group, which Octavia's work does not lock. */
function besideChanges(facts: ServingFacts, { memberSubnetId }: TreeFacts) {
  const { input, spec, desired, loadBalancer, options } = facts;
  const { owner, observed } = input;
  const published = input.published.ingress.flatMap(({ ip }) => (ip === undefined ? [] : [ip]));
  const floating = isGuest(loadBalancer, input.owner)
    ? { changes: [], notices: [], isInternal: isReachedInside(facts) }
    : planFloatingIp({ owner, desired, loadBalancer, observed, published });
  const groups = options.loadBalancer.manageSecurityGroups
    ? planSecurityGroup({ owner, spec, desired, observed, memberSubnetId })
    : planSecurityGroupRemoval(owner, observed);
  return {
    changes: [...floating.changes, ...groups],
    notices: floating.notices,
    isInternal: floating.isInternal,
    refused: "refused" in floating ? floating.refused : undefined,
  };
}

function isReachedInside({ loadBalancer, input }: ServingFacts): boolean {
  return attachedTo(loadBalancer, input.observed.floatingIps) === undefined;
}

/** The load balancer's own fields: children before it when it gets another name, so that a crash in between is made good. */
function headChanges(facts: ServingFacts): readonly CloudChange[] {
  const { input, loadBalancer, desired } = facts;
  const { owner, everything = false } = input;
  const renames = planRenames(loadBalancer, owner);
  const name = isFormerName(loadBalancer.name, owner) ? loadBalancerName(owner) : loadBalancer.name;
  const marks = marksFor(facts);
  const differs =
    name !== loadBalancer.name ||
    (desired.features.tags && !sameSet(marks.tags, loadBalancer.tags));
  if (!differs && !everything) return renames;
  return [...renames, updateHead(loadBalancer, { name, marks, action: "update" })];
}

interface Head {
  readonly name: string;
  readonly marks: ReturnType<typeof marksFor>;
  readonly action: CloudChange["action"];
}

function marksFor({ input, loadBalancer, desired }: ServingFacts) {
  const { owner } = input;
  const former = usersOf(loadBalancer).filter(
    (user) => isFormerName(user, owner) && user !== loadBalancerName(owner),
  );
  const tags = loadBalancer.tags.filter((tag) => !former.includes(tag));
  return markFields(loadBalancer, {
    tags: tagsFor({ tags }, owner, { keepsFloatingIp: desired.keepsFloatingIp }),
    description: markedDescription(DESCRIPTIONS.loadBalancer(owner), owner),
    hasTags: desired.features.tags,
  });
}

interface Marking {
  readonly tags: readonly string[];
  readonly description: string;
  readonly hasTags: boolean;
}

/** Before tags came to Octavia the description carries the mark. */
function markFields(loadBalancer: LoadBalancerTree, { tags, description, hasTags }: Marking) {
  return hasTags
    ? { tags, description: loadBalancer.description }
    : { tags: loadBalancer.tags, description };
}

function updateHead(loadBalancer: LoadBalancerTree, { name, marks, action }: Head): CloudChange {
  const { id, tags, description } = loadBalancer;
  const after = { name, ...marks };
  const before = { name: loadBalancer.name, tags, description };
  return changeOf(
    { action, what: "load balancer", target: id, before, after },
    sendOf(loadBalancer, {
      ...{ method: "PUT", resource: "loadbalancer", path: `loadbalancers/${id}` },
      body: bodyOf({ loadbalancer: after }),
    }),
  );
}

function sameSet(left: readonly string[], right: readonly string[]): boolean {
  return [...left].sort().join("\n") === [...right].sort().join("\n");
}

/** Our mark alone, in a plan of its own: what else differs is for the next. Of a shared one there is room for so many. */
function planJoining(facts: ServingFacts): Decision {
  const { input, loadBalancer, options } = facts;
  const { maxSharedLb } = options.loadBalancer;
  const users = usersOf(loadBalancer).filter((one) => one !== loadBalancerName(input.owner));
  if (isGuest(loadBalancer, input.owner) && users.length >= maxSharedLb) {
    const problem = `the load balancer ${loadBalancer.id} serves ${users.length} Services already, and max-shared-lb is ${maxSharedLb}`;
    return { changes: [], next: { kind: "unsupported", field: "load-balancer-id", problem } };
  }
  const action = isGuest(loadBalancer, input.owner) ? "update" : "adopt";
  const marks = marksFor(facts);
  return {
    changes: [updateHead(loadBalancer, { name: loadBalancer.name, marks, action })],
    next: { kind: "settled" },
  };
}

/** Adopts one of a Service that is to have none: with our mark it is removed as all that carries it. */
export function adoption({ owner, observed }: PlanInput, loadBalancer: LoadBalancerTree): Decision {
  if (isPending(loadBalancer)) return { changes: [], next: inProgress(loadBalancer) };
  const marks = markFields(loadBalancer, {
    tags: tagsFor(loadBalancer, owner),
    description: markedDescription(DESCRIPTIONS.loadBalancer(owner), owner),
    hasTags: observed.minor >= 5,
  });
  const { name } = loadBalancer;
  return {
    changes: [updateHead(loadBalancer, { name, marks, action: "adopt" })],
    next: { kind: "settled" },
  };
}

/**
 * Octavia refuses every change of one in ERROR but a failover and its deletion. One that never served is deleted and made anew
 * after a while; one that did, as the policy or a user has it: its floating IP stays, and the new one gets it.
 */
function planBroken(facts: ServingFacts): Decision {
  const { input, loadBalancer, options } = facts;
  const { onError } = options.loadBalancer;
  const isOthersToo = isGuest(loadBalancer, input.owner) || isKept(loadBalancer, input.owner);
  const next = brokenNext(facts, isOthersToo);
  if (isOthersToo) return { changes: [], next };
  if (input.everything === true || isToBeReplaced(facts))
    return { changes: deletionOf(loadBalancer, options), next };
  if (onError !== "failover" || !hasServed(facts)) return { changes: [], next };
  const { id } = loadBalancer;
  const change = changeOf(
    {
      action: "update",
      what: "load balancer",
      target: id,
      before: { state: "ERROR" },
      after: { failover: true },
    },
    sendOf(loadBalancer, {
      method: "PUT",
      resource: "loadbalancer",
      path: `loadbalancers/${id}/failover`,
    }),
  );
  return { changes: [change], next };
}

function hasServed({ input, loadBalancer }: ServingFacts): boolean {
  const isAttached = attachedTo(loadBalancer, input.observed.floatingIps) !== undefined;
  return isAttached || input.published.ingress.length > 0;
}

function isToBeReplaced(facts: ServingFacts): boolean {
  const { input, loadBalancer, options } = facts;
  const isAllowed = !hasServed(facts) || options.loadBalancer.onError === "recreate";
  const createdAt = Date.parse(`${loadBalancer.created_at.replace(/Z$/, "")}Z`);
  const ageMs = Number.isNaN(createdAt) ? Number.POSITIVE_INFINITY : input.observed.at - createdAt;
  return isAllowed && ageMs >= options.retryBrokenMs;
}

function brokenNext(facts: ServingFacts, isOthersToo: boolean): LoadBalancerNext {
  const { loadBalancer, options } = facts;
  const { id, operating_status } = loadBalancer;
  const state = `Octavia reports ERROR (operating status ${operating_status || "unknown"})`;
  const message = isOthersToo
    ? `${state}, and others use it, so it is left as it is; have it repaired in the cloud`
    : hasServed(facts) && options.loadBalancer.onError === "report"
      ? `${state}; ensure it again to replace it with its address kept, or set on-error in [LoadBalancer]`
      : state;
  return { kind: "broken", id, message };
}
