import type { CloudChange, LoadBalancerNext, LoadBalancerNotice } from "@cloudwright/provider-api";
import { CLASS_ANNOTATION, fixedNotices } from "../annotations.ts";
import { bodyOf, changeOf } from "../changes.ts";
import { type Decision, inProgress, type PlanInput, type ServingFacts } from "../decision.ts";
import { removalOf } from "../deletion.ts";
import { attachedTo, planFloatingIp } from "../floating-ips.ts";
import { isBroken, isPending, type LoadBalancerTree } from "../observed.ts";
import {
  DESCRIPTIONS,
  hasOwner,
  isFormerName,
  isGuest,
  loadBalancerName,
  markedDescription,
  memberSubnetOf,
  tagsFor,
  usersOf,
} from "../ownership.ts";
import { planSecurityGroup, planSecurityGroupRemoval } from "../security-groups.ts";
import { sendOf, type TreeFacts } from "../tree-change.ts";
import { planBroken } from "./plan-broken.ts";
import { takenBy, treeChanges } from "./plan-listeners.ts";
import { misplacedMembers } from "./plan-pools.ts";
import { planRenames } from "./plan-renames.ts";

/** Brings the one load balancer that the Service has, or will share, to the desired state, and removes duplicates. */
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
    const problem = `the load balancer ${loadBalancer.id} already has that listener, which belongs to ${taken.users.join(", ") || "somebody else"}`;
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

function unchangeable(facts: ServingFacts): readonly LoadBalancerNotice[] {
  const { spec, loadBalancer, input, options } = facts;
  if (isGuest(loadBalancer, input.owner)) return [];
  const name = spec.annotations[CLASS_ANNOTATION] ?? "";
  const { subnetId, networkId, floatingNetworkId } = options.loadBalancerClasses.get(name) ?? {};
  return fixedNotices(
    spec.annotations,
    {
      "subnet-id": subnetId,
      "network-id": networkId,
      "floating-network-id": floatingNetworkId,
    },
    {
      "subnet-id": loadBalancer.vip_subnet_id,
      "network-id": loadBalancer.vip_network_id,
      "port-id": loadBalancer.vip_port_id,
      "flavor-id": loadBalancer.flavor_id,
      "availability-zone": loadBalancer.availability_zone,
      "floating-network-id": attachedTo(loadBalancer, input.observed.floatingIps)
        ?.floating_network_id,
    },
  );
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
    memberSubnetId: memberSubnetFor(facts),
    isSerial: options.loadBalancer.providerRequiresSerialApiCalls,
  };
}

/** A listener, pool or monitor in ERROR does not recover by itself, and may not keep the load balancer from serving. */
function nextOf({ id, inside }: LoadBalancerTree): LoadBalancerNext {
  const broken = inside?.listeners.find(isBroken) ?? inside?.pools.find(isBroken);
  if (broken === undefined) return { kind: "settled" };
  const message = `${broken.name} is in ERROR; ensure the load balancer again, or delete ${broken.id} in the cloud so that it is created again`;
  return { kind: "broken", id, message };
}

/** Changes the floating IP and the security group, which Octavia's work does not lock. */
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

/**
 * Changes the load balancer's own fields. For a new name, its children come first, so that the change continues after a crash in
 * between.
 */
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

function marksFor(facts: ServingFacts) {
  const { input, loadBalancer, desired } = facts;
  const { owner } = input;
  const former = usersOf(loadBalancer).filter(
    (user) => isFormerName(user, owner) && user !== loadBalancerName(owner),
  );
  const tags = loadBalancer.tags.filter((tag) => !former.includes(tag));
  return markFields(loadBalancer, {
    tags: tagsFor({ tags }, owner, {
      keepsFloatingIp: desired.keepsFloatingIp,
      memberSubnetId: taggedMemberSubnet(facts),
    }),
    description: markedDescription(DESCRIPTIONS.loadBalancer(owner), owner),
    hasTags: desired.features.tags,
  });
}

/** The tag is removed when no subnet is requested any more and the last member has left it: until then their subnets are read. */
function taggedMemberSubnet(facts: ServingFacts): string {
  const { input, loadBalancer, desired } = facts;
  const { askedMemberSubnetId } = desired.placement;
  const former = memberSubnetOf(loadBalancer, input.owner);
  if (askedMemberSubnetId !== "" || former === undefined) return askedMemberSubnetId;
  const pools = loadBalancer.inside?.pools ?? [];
  const isLeft = pools.some((pool) => misplacedMembers(pool, memberSubnetFor(facts)).length > 0);
  return isLeft ? former : "";
}

function memberSubnetFor({ desired, loadBalancer }: ServingFacts): string {
  return desired.placement.memberSubnetId || loadBalancer.vip_subnet_id;
}

interface Marking {
  readonly tags: readonly string[];
  readonly description: string;
  readonly hasTags: boolean;
}

/** Before Octavia had tags, the description carries the mark. */
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

/**
 * Adds only our mark, in a plan of its own: other differences are for the next one. The number of Services that share a load
 * balancer is limited.
 */
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

/** Adopts the load balancer of a Service that no longer needs one: with our mark, it is removed like all our resources. */
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
