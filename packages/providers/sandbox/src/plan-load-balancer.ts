import type {
  CloudChange,
  LoadBalancerCandidate,
  LoadBalancerNext,
  LoadBalancerPlan,
  LoadBalancerPlanInput,
  OwnerIdentity,
} from "@cloudwright/provider-api";
import {
  aspectsOf,
  type DesiredLoadBalancer,
  differingFields,
  othersOn,
  sameSet,
  WRITABLE,
  wantedOf,
} from "./compare-load-balancer.ts";
import { factsOf, isReachedBy, keptOf, membersOf, statusOf } from "./kept-load-balancer.ts";
import {
  isBusy,
  isRestricted,
  type LoadBalancer,
  type ObservedLoadBalancer,
  placesOf,
} from "./load-balancer.ts";
import {
  changeLoadBalancer,
  createLoadBalancer,
  createRule,
  deleteLoadBalancer,
  deleteRule,
  type LoadBalancerEdit,
  tagLoadBalancer,
  withSnapshot,
} from "./load-balancer-changes.ts";
import {
  foreignOwnerOf,
  hasOwner,
  IDENTIFYING_TAGS,
  loadBalancerName,
  ownedBy,
  TAGS,
  tagOf,
  tagsOf,
} from "./owners.ts";

/** Plans the changes from the observed to the desired state. Pure. */
export function planLoadBalancer(input: PlanInput): LoadBalancerPlan {
  const { spec, observed, published } = input;
  const kept = keptOf(observed.balancers, published);
  if (spec === undefined) {
    const adopted = kept === undefined ? consentedTo(input) : undefined;
    const decision = adopted === undefined ? planRemoval(observed) : planAdoption(input, adopted);
    return planOf(input, kept ?? adopted, { ...decision, desired: undefined });
  }
  const wanted = wantedOf(spec);
  if (wanted.kind !== "balancer") {
    return planOf(input, kept, { changes: [], next: wanted, desired: undefined });
  }
  const { desired } = wanted;
  const serving = kept ?? adoptedBy(input, desired);
  return planOf(input, serving, { ...planServing(input, desired, serving), desired });
}

/**
 * Returns the unmarked load balancer that is proven to be the Service's, or that an admin consented to adopt; the plan continues
 * with it. Consent does not permit removing what others have on it.
 */
function adoptedBy(input: PlanInput, desired: DesiredLoadBalancer): LoadBalancer | undefined {
  const adopted = consentedTo(input);
  if (adopted === undefined || adopted.id === input.proven) return adopted;
  return othersOn(adopted, desired).length === 0 ? adopted : undefined;
}

/** A load balancer with a mark is refused in spite of consent. */
function consentedTo({ owner, observed, proven, consent }: PlanInput): LoadBalancer | undefined {
  const unmarked = observed.candidates.filter((one) => foreignOwnerOf(one, owner) === undefined);
  return unmarked.find(({ id }) => id === proven) ?? unmarked.find(({ id }) => id === consent);
}

/** Once it carries our mark, it is removed like all our resources, even if this process ends in between. */
function planAdoption({ owner }: PlanInput, adopted: LoadBalancer): Decision {
  if (isBusy(adopted)) return { changes: [], next: inProgress(adopted) };
  const tags = tagsAfter(adopted, tagsOf(owner), false);
  return { changes: [tagLoadBalancer(adopted, tags)], next: { kind: "settled" } };
}

/** Deletes rules first, so that after an interrupted removal the rest is found through its load balancer. */
function planRemoval({ balancers: loadBalancers, rules }: ObservedLoadBalancer): Decision {
  const busy = loadBalancers.find(isBusy);
  return {
    changes: [
      ...(rules ?? []).map(deleteRule),
      ...loadBalancers.filter((loadBalancer) => !isBusy(loadBalancer)).map(deleteLoadBalancer),
    ],
    next: busy === undefined ? { kind: "settled" } : inProgress(busy),
  };
}

function planOf(
  { owner, observed, spec }: PlanInput,
  kept: LoadBalancer | undefined,
  { changes, next, desired }: Decision & { readonly desired: DesiredLoadBalancer | undefined },
): LoadBalancerPlan {
  return {
    changes: withSnapshot(changes, observed),
    next,
    status: statusOf(kept, spec),
    actual: factsOf(kept, observed),
    aspects: aspectsOf(desired, kept, observed.rules),
    members: membersOf(kept, spec),
    ...(observed.candidates.length === 0
      ? {}
      : { candidates: observed.candidates.map((one) => candidateOf(one, owner)) }),
  };
}

function candidateOf(loadBalancer: LoadBalancer, owner: OwnerIdentity): LoadBalancerCandidate {
  const { id, name } = loadBalancer;
  return { id, name, addresses: placesOf(loadBalancer), ...ownedBy(loadBalancer, owner) };
}

export type PlanInput = LoadBalancerPlanInput<ObservedLoadBalancer>;

/** The changes to make, and the state at present. */
interface Decision {
  readonly changes: readonly CloudChange[];
  readonly next: LoadBalancerNext;
}

/** When to observe again a load balancer that the cloud is working on, in milliseconds: the cloud does not say when it will be done. */
const DUE_MS = { serves: 500, goes: 1_000 };

function inProgress({ id, state }: LoadBalancer): LoadBalancerNext {
  const dueMs = state === "deleting" ? DUE_MS.goes : DUE_MS.serves;
  return { kind: "inProgress", dueMs, what: `${id} is ${state}` };
}

/** Creates, changes, heals or replaces the Service's load balancer, and removes duplicates. */
function planServing(
  input: PlanInput,
  desired: DesiredLoadBalancer,
  kept: LoadBalancer | undefined,
): Decision {
  if (kept === undefined) return planFirst(input, desired);
  const extras = input.observed.balancers.filter((loadBalancer) => loadBalancer !== kept);
  const { changes, next } = planKept(input, desired, kept);
  const busy = extras.find(isBusy);
  const isDone = next.kind === "settled" && busy !== undefined;
  return {
    changes: [...changes, ...extras.filter((extra) => !isBusy(extra)).map(deleteLoadBalancer)],
    next: isDone ? inProgress(busy) : next,
  };
}

function planFirst(input: PlanInput, desired: DesiredLoadBalancer): Decision {
  const { owner } = input;
  const obstacle = obstacleOf(input);
  if (obstacle !== undefined) return { changes: [], next: blockedBy(obstacle, input, desired) };
  const rules = planRules(input, desired);
  return {
    changes: [createLoadBalancer(owner, desired), ...rules.creations, ...rules.deletions],
    next: { kind: "settled" },
  };
}

/**
 * Returns what prevents us from creating one: the unmarked load balancer with the most evidence of being the Service's, else
 * another owner's with its name. Another owner's at the published address is no obstacle: the cloud has reassigned that address.
 */
function obstacleOf({ owner, observed, published }: PlanInput): LoadBalancer | undefined {
  const isNamesake = ({ name }: LoadBalancer) => name === loadBalancerName(owner);
  const proofs = (one: LoadBalancer) =>
    Number(isNamesake(one)) + Number(isReachedBy(published, one));
  const isUnmarked = (one: LoadBalancer) => foreignOwnerOf(one, owner) === undefined;
  const [best] = observed.candidates
    .filter(isUnmarked)
    .sort((left, right) => proofs(right) - proofs(left) || left.id.localeCompare(right.id));
  return best ?? observed.candidates.find(isNamesake);
}

/** Neither changes it nor creates another one beside it. */
function blockedBy(
  obstacle: LoadBalancer,
  { owner }: PlanInput,
  desired: DesiredLoadBalancer,
): Decision["next"] {
  const { id, name } = obstacle;
  const foreign = foreignOwnerOf(obstacle, owner);
  if (foreign !== undefined) return { kind: "foreign", id, owner: foreign };
  const others = othersOn(obstacle, desired);
  return { kind: "unowned", id, name, ...(others.length === 0 ? {} : { others }) };
}

function planKept(input: PlanInput, desired: DesiredLoadBalancer, kept: LoadBalancer): Decision {
  const rules = planRules(input, desired);
  if (isBusy(kept)) {
    const mayHaveRule = isRestricted(kept) && kept.state !== "deleting";
    return { changes: mayHaveRule ? rules.creations : [], next: inProgress(kept) };
  }
  if (kept.internal !== desired.internal) return replacing(input, kept);
  const isHealed = kept.state === "error" && isHealing(kept);
  if (isHealed && input.everything !== true) return replacing(input, kept);
  const edit = editOf(input, desired, kept);
  const isOpen = !isRestricted(desired);
  const change = edit === undefined ? [] : [changeLoadBalancer(kept, desired, edit)];
  return {
    // A rule exists only while its load balancer is restricted: for an open one, rules are not read.
    changes: isOpen
      ? [...rules.deletions, ...change]
      : [...change, ...rules.creations, ...rules.deletions],
    next: nextOf(kept),
  };
}

/** A broken load balancer is reported, whatever is done about it. */
function nextOf({ id, state, errorMessage = "it gives no cause" }: LoadBalancer): Decision["next"] {
  return state === "error" ? { kind: "broken", id, message: errorMessage } : { kind: "settled" };
}

/** Deletes it first, so that there are never two; the next plan creates the new one. */
function replacing({ observed }: PlanInput, kept: LoadBalancer): Decision {
  const changes = [...(observed.rules ?? []).map(deleteRule), deleteLoadBalancer(kept)];
  return { changes, next: nextOf(kept) };
}

function editOf(
  { owner, everything }: PlanInput,
  desired: DesiredLoadBalancer,
  kept: LoadBalancer,
): LoadBalancerEdit | undefined {
  const isBroken = kept.state === "error";
  const tags = tagsAfter(kept, tagsOf(owner), isBroken);
  const isAdoption = !hasOwner(kept, owner);
  if (everything === true || isBroken) return { fields: WRITABLE, tags, isAdoption };
  const fields = differingFields(kept, desired);
  const isMarked = IDENTIFYING_TAGS.every((tag) => tagOf(kept, tag) === tagOf({ tags }, tag));
  const needsTags = !isMarked || isHealing(kept);
  if (fields.length === 0 && !needsTags) return undefined;
  return needsTags ? { fields, tags, isAdoption } : { fields };
}

/** Reports whether an update was made to heal it. */
function isHealing(loadBalancer: LoadBalancer): boolean {
  return tagOf(loadBalancer, TAGS.healing) !== undefined;
}

/** Keeps tags of others. */
function tagsAfter(
  { tags }: LoadBalancer,
  ours: Readonly<Record<string, string>>,
  isBroken: boolean,
): Readonly<Record<string, string>> {
  const { [TAGS.healing]: _healing, [TAGS.loadBalancerClass]: _class, ...others } = tags;
  return { ...others, ...ours, ...(isBroken ? { [TAGS.healing]: "once" } : {}) };
}

interface RuleChanges {
  readonly creations: readonly CloudChange[];
  readonly deletions: readonly CloudChange[];
}

/** Plans one rule for a restricted load balancer, none for an open one. Rules that were not read do not exist. */
function planRules({ owner, observed }: PlanInput, desired: DesiredLoadBalancer): RuleChanges {
  const { rules = [] } = observed;
  const isWanted = isRestricted(desired);
  const right = isWanted
    ? rules.find(({ sourceRanges }) => sameSet(sourceRanges, desired.sourceRanges))
    : undefined;
  const isMissing = isWanted && right === undefined;
  return {
    creations: isMissing ? [createRule(owner, desired.sourceRanges)] : [],
    deletions: rules.filter((rule) => rule !== right).map(deleteRule),
  };
}
