import type {
  CloudChange,
  LoadBalancerNext,
  LoadBalancerPlan,
  LoadBalancerSpec,
} from "@cloudwright/provider-api";
import { reasonOfProviderError } from "../../cloud/calls/provider-reason.ts";
import type { Service } from "../../kube/client.ts";
import type { Next, Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import { annotationOf } from "../objects/object-meta.ts";
import {
  type CloudWrite,
  cloudWrite,
  finalizerAdd,
  type ServiceChange,
  statusWrite,
} from "./changes.ts";
import { adoptionReason, type Claim } from "./desired/compare.ts";
import { memberNames } from "./members/names.ts";
import type { ServiceObserved } from "./observed.ts";
import {
  addressText,
  classOf,
  comparable,
  hasFinalizer,
  publishedBy,
  recordedClassOf,
} from "./service-object.ts";

/**
 * Keeps a Service's load balancer as it should be: the finalizer before the first write to the cloud, the address only from
 * a load balancer that has one, and again after each change of the cloud (spec/30 §4).
 */
export function planServing(observed: ServiceObserved, service: Service): Plan<ServiceChange> {
  const { desired, comparison } = observed;
  if (desired?.kind === "refused") return only({ kind: "blocked", reason: desired.reason });
  if (desired === undefined || comparison === undefined) return only(UNKNOWN);
  if (comparison.kind === "failed") {
    return only({ kind: "failed", reason: reasonOfProviderError(comparison.error) });
  }
  const { plan } = comparison;
  const { claim } = comparison;
  const facts: Serving = {
    ...{ observed, service, spec: desired.spec, plan },
    ...(claim === undefined ? {} : { claim }),
  };
  return plan.changes.length > 0 ? planCloud(facts) : planStatus(facts);
}

/** The cloud was not asked only if the action needs nothing from it. */
const UNKNOWN: Next = { kind: "waiting", reason: { code: "InStep" }, forMs: 0 };

interface Serving {
  readonly observed: ServiceObserved;
  readonly service: Service;
  readonly spec: LoadBalancerSpec;
  readonly plan: LoadBalancerPlan;
  readonly claim?: Claim;
}

function planCloud(facts: Serving): Plan<ServiceChange> {
  const { service, plan, spec } = facts;
  const changes = plan.changes.map((change) => writeOf(facts, change));
  const reason: Reason = { code: "BalancerInStep", members: spec.members.length };
  return {
    changes: [...missingFinalizer(service), ...changes],
    notTaken: [],
    next: { kind: "settled", reason },
    again: true,
  };
}

function planStatus(facts: Serving): Plan<ServiceChange> {
  const { service, plan } = facts;
  const next = nextOf(facts);
  if (next.kind === "blocked") return only(next);
  const isOurs = plan.next.kind !== "elsewhere";
  return {
    changes: [...missingFinalizer(service), ...(isOurs ? changedStatus(service, plan) : [])],
    notTaken: [],
    next,
  };
}

function missingFinalizer(service: Service): readonly ServiceChange[] {
  const isMarked = hasFinalizer(service) && recordedClassOf(service) === classOf(service);
  return isMarked ? [] : [finalizerAdd(service)];
}

function changedStatus(
  service: Service,
  { status, annotations = {} }: LoadBalancerPlan,
): readonly ServiceChange[] {
  if (status === undefined) return [];
  const after = comparable(status);
  const isSame = JSON.stringify(publishedBy(service)) === JSON.stringify(after);
  const differing = Object.entries(annotations).filter(
    ([name, value]) => annotationOf(service, name) !== value,
  );
  if (isSame && differing.length === 0) return [];
  return [statusWrite(service, after, Object.fromEntries(differing))];
}

function writeOf(facts: Serving, change: CloudChange): CloudWrite {
  const { observed, spec } = facts;
  const reason = adoptionReason(facts, change, observed.provider) ?? reasonOf(facts, change);
  const nameOf = memberNames(observed.set, observed.membersBefore);
  return cloudWrite({ owner: spec.owner, target: observed.object, change, reason, nameOf });
}

function reasonOf({ observed, spec, plan }: Serving, change: CloudChange): Reason {
  switch (change.action) {
    case "create":
      return { code: "BalancerMissing", provider: observed.provider };
    case "members":
      return { code: "MembersDiffer", ...memberDifference(observed, spec, plan) };
    case "adopt":
    case "update":
    case "delete": {
      if (plan.next.kind === "broken") {
        const { id, message } = plan.next;
        return { code: "BalancerBroken", provider: observed.provider, id, message };
      }
      const differing = plan.aspects.filter(({ desired, actual }) => desired !== actual);
      const aspects = differing.length > 0 ? differing.map(({ name }) => name) : [change.what];
      return { code: "BalancerDiffers", aspects };
    }
  }
}

/** By node names; machines whose node is gone and forgotten, by provider ID. */
function memberDifference(
  { set, membersBefore }: ServiceObserved,
  { members }: LoadBalancerSpec,
  plan: LoadBalancerPlan,
): { added: string[]; removed: string[] } {
  const wanted = new Set(members.map(({ providerID }) => providerID));
  const added = members.filter(({ providerID }) => !Object.hasOwn(plan.members, providerID));
  const nameOf = memberNames(set, membersBefore);
  const removed = Object.keys(plan.members).filter((providerID) => !wanted.has(providerID));
  return {
    added: byName(added.map(({ nodeName }) => nodeName)),
    removed: byName(removed.map(nameOf)),
  };
}

function byName(names: readonly string[]): string[] {
  return [...names].sort((left, right) => (left < right ? -1 : 1));
}

function nextOf(facts: Serving): Next {
  const { plan, observed } = facts;
  const { provider } = observed;
  switch (plan.next.kind) {
    case "settled":
      return settledNext(facts);
    case "inProgress":
      return inProgressNext(plan, provider);
    case "elsewhere":
      return { kind: "settled", reason: { code: "ServedElsewhere", provider } };
    default:
      return obstacleNext(plan.next, facts);
  }
}

export function inProgressNext({ next, actual }: LoadBalancerPlan, provider: string): Next {
  const { dueMs, what } = next.kind === "inProgress" ? next : { dueMs: 0, what: "" };
  const id = actual?.id ?? "a load balancer";
  return {
    kind: "waiting",
    reason: { code: "BalancerProvisioning", provider, id, what },
    forMs: dueMs,
  };
}

type Obstacle = Exclude<LoadBalancerNext, { kind: "settled" | "inProgress" | "elsewhere" }>;

/** What we cannot solve waits for a user; what the cloud calls broken may recover, and is observed again. */
function obstacleNext(next: Obstacle, { observed, claim }: Serving): Next {
  const { provider } = observed;
  switch (next.kind) {
    case "foreign": {
      const { id, owner } = next;
      return { kind: "blocked", reason: { code: "BalancerForeign", provider, id, owner } };
    }
    case "unowned": {
      const { id, name, others = [] } = next;
      const more = {
        ...(others.length === 0 ? {} : { others: [...others] }),
        ...(claim?.id === id ? { proofs: [...claim.proofs] } : {}),
      };
      return { kind: "blocked", reason: { code: "BalancerUnowned", provider, id, name, ...more } };
    }
    case "unsupported": {
      const { field, problem } = next;
      return { kind: "blocked", reason: { code: "ServiceUnsupported", provider, field, problem } };
    }
    case "broken":
      return brokenNext(next, provider);
  }
}

export function brokenNext(
  { id, message }: Extract<LoadBalancerNext, { kind: "broken" }>,
  provider: string,
): Next {
  return { kind: "failed", reason: { code: "BalancerBroken", provider, id, message } };
}

/** A load balancer that refuses some nodes still serves. */
function settledNext({ plan, spec, observed }: Serving): Next {
  const { provider } = observed;
  if (plan.status === undefined) {
    return { kind: "failed", reason: { code: "BalancerAddressMissing", provider } };
  }
  const lacking = reasonOfRefused(observed);
  if (lacking !== undefined) return { kind: "settled", reason: lacking };
  const members = spec.members.length;
  if (members === 0) return { kind: "settled", reason: { code: "BalancerWithoutMembers" } };
  const address = addressText(plan.status);
  const reason = {
    code: "BalancerInStep",
    members,
    ...(address === "" ? {} : { address }),
  } as const;
  return { kind: "settled", reason };
}

/** A problem that a user can fix comes before one that follows from a missing machine. */
function reasonOfRefused({
  provider,
  refused,
  set,
  withoutMachine,
}: ServiceObserved): Reason | undefined {
  // A member that was refused and whose node has gone since is no longer wanted.
  const all = set.members
    .filter(({ providerID }) => refused.has(providerID))
    .map(({ nodeName, providerID }) => ({
      node: nodeName,
      isGone: withoutMachine.has(providerID),
      message: refused.get(providerID)?.message ?? "",
    }));
  const others = all.length - 1;
  const serves = all.length < set.members.length ? "members" : "nothing";
  const mendable = all.find(({ isGone }) => !isGone);
  if (mendable !== undefined) {
    const { node, message } = mendable;
    return { code: "BalancerMemberRefused", node, message, others, serves };
  }
  const [first] = all;
  return first && { code: "BalancerMemberGone", provider, node: first.node, others, serves };
}

function only(next: Next): Plan<ServiceChange> {
  return { changes: [], notTaken: [], next };
}
