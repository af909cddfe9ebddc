import type { LoadBalancerMember, NodeAddress } from "@cloudwright/provider-api";
import type { Node } from "../../../kube/client.ts";
import type { MemberVerdict } from "../../../model/records/load-balancer-record.ts";
import { hasTaint, providerIdOf, readyOf } from "../../objects/node-object.ts";
import { labelsOf, nameOf, valueAt } from "../../objects/object-meta.ts";

/** The nodes of the cluster as all load balancers see them; one value for all Services while no node changes. */
export interface MemberSet {
  /** One for each provider ID, sorted by the node's name. */
  readonly members: readonly LoadBalancerMember[];
  /** One for each node, sorted by name. */
  readonly nodes: readonly MemberNode[];
}

/** A node and its identity in the cloud; without a provider ID it cannot be a member. */
export interface MemberNode extends Membership {
  readonly providerID: string | undefined;
}

export interface MemberFacts {
  /** The scheme of our provider IDs. */
  readonly provider: string;
  /** Returns the provider ID that the cloud knows for a node that has none yet. */
  resolved(node: Node): string | undefined;
  /** Whether the provider chooses by labels. */
  readonly readsLabels?: boolean;
}

export function memberSetOf(nodes: readonly Node[], facts: MemberFacts): MemberSet {
  const byId = new Map<string, LoadBalancerMember>();
  const sorted = [...nodes].sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
  const known = sorted.map((node): MemberNode => {
    const seen = memberNodeOf(node, facts);
    const { providerID } = seen;
    // Two nodes with one provider ID are one machine, which is a member once.
    if (seen.isEligible && providerID !== undefined && !byId.has(providerID)) {
      const labels = facts.readsLabels === true ? { labels: labelsOf(node) } : {};
      byId.set(providerID, {
        ...{ nodeName: seen.node, providerID, addresses: addressesOf(node) },
        ...labels,
      });
    }
    return seen;
  });
  return { members: [...byId.values()], nodes: known };
}

function memberNodeOf(node: Node, { provider, resolved }: MemberFacts): MemberNode {
  const membership = membershipOf(node);
  const providerID = providerIdOf(node) ?? resolved(node);
  if (!membership.isEligible) return { ...membership, providerID };
  const { node: name } = membership;
  if (providerID === undefined) {
    return { node: name, isEligible: false, why: "withoutProviderID", providerID };
  }
  if (!providerID.startsWith(`${provider}://`)) {
    return { node: name, isEligible: false, why: "foreign", evidence: providerID, providerID };
  }
  return { ...membership, providerID };
}

function addressesOf(node: Node): readonly NodeAddress[] {
  return (node.status?.addresses ?? []) as readonly NodeAddress[];
}

/** Why the cloud refused a node, by provider ID. */
export type RefusedMembers = ReadonlyMap<
  string,
  { readonly message: string; readonly isWithoutMachine?: boolean }
>;

export function withoutRefused(
  members: readonly LoadBalancerMember[],
  refused: RefusedMembers,
): readonly LoadBalancerMember[] {
  if (refused.size === 0) return members;
  return members.filter(({ providerID }) => !refused.has(providerID));
}

/** The cloud's members behind one load balancer, by provider ID. */
export type ActualMembers = Readonly<Record<string, { readonly health?: string }>>;

const COUNTED = new WeakMap<ActualMembers, ReadonlyMap<string, number>>();

/** Counts the members by the state that the cloud reports, once for all load balancers that share the value. */
export function healthCounts(actual: ActualMembers): ReadonlyMap<string, number> {
  const known = COUNTED.get(actual);
  if (known !== undefined) return known;
  const counts = countHealth(actual);
  COUNTED.set(actual, counts);
  return counts;
}

function countHealth(actual: ActualMembers): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { health } of Object.values(actual)) {
    if (health !== undefined) counts.set(health, (counts.get(health) ?? 0) + 1);
  }
  return counts;
}

const KEPT = new WeakMap<MemberSet, readonly MemberVerdict[]>();

/**
 * Returns a verdict for every node (UX.md section 6). While a load balancer has exactly the members that it should have and the
 * cloud does not report their health, all load balancers share one list: thousands of nodes behind thousands of load balancers then
 * cost no memory.
 */
export function memberVerdicts(
  set: MemberSet,
  actual: ActualMembers,
  refused: RefusedMembers,
): readonly MemberVerdict[] {
  if (!isKnownPlain(set, actual, refused)) {
    const known = set.nodes.map((node) => verdictOf(node, actual, refused));
    return brief([...known, ...strays(set, actual)]);
  }
  const kept = KEPT.get(set);
  if (kept !== undefined) return kept;
  const verdicts = brief(set.nodes.map((node) => verdictOf(node, actual, refused)));
  KEPT.set(set, verdicts);
  return verdicts;
}

/**
 * From this many nodes on, each word about a healthy one adds megabytes to the ledger: the node's own page has its ID.
 */
const MANY_NODES = 500;

function brief(verdicts: readonly MemberVerdict[]): readonly MemberVerdict[] {
  if (verdicts.length <= MANY_NODES) return verdicts;
  return verdicts.map((verdict) => {
    if (verdict.verdict !== "in") return verdict;
    const { providerID: _, ...rest } = verdict;
    return rest;
  });
}

const PLAIN = new WeakMap<ActualMembers, MemberSet>();

/** Providers may share one value among load balancers with the same members. */
function isKnownPlain(set: MemberSet, actual: ActualMembers, refused: RefusedMembers): boolean {
  if (refused.size === 0 && PLAIN.get(actual) === set) return true;
  const isIt = isPlain(set, actual, refused);
  if (isIt) PLAIN.set(actual, set);
  return isIt;
}

function isPlain(set: MemberSet, actual: ActualMembers, refused: RefusedMembers): boolean {
  if (refused.size > 0 || Object.keys(actual).length !== set.members.length) return false;
  return set.members.every(({ providerID }) => {
    const seen = atOwn(actual, providerID);
    return seen !== undefined && seen.health === undefined;
  });
}

function verdictOf(
  { node, providerID, isEligible, why, evidence }: MemberNode,
  actual: ActualMembers,
  refused: RefusedMembers,
): MemberVerdict {
  const seen = atOwn(actual, providerID);
  const refusal = providerID === undefined ? undefined : refused.get(providerID);
  const shown = {
    node,
    ...(providerID === undefined ? {} : { providerID }),
    ...(seen?.health === undefined ? {} : { health: seen.health }),
  };
  if (refusal !== undefined) {
    const cause = refusal.isWithoutMachine === true ? "machineGone" : "refused";
    return { ...shown, verdict: "out", why: cause, evidence: refusal.message };
  }
  const verdict = verdictWord(isEligible, seen !== undefined);
  return evidence === undefined ? { ...shown, verdict, why } : { ...shown, verdict, why, evidence };
}

function verdictWord(isEligible: boolean, isSeen: boolean): MemberVerdict["verdict"] {
  if (isEligible) return isSeen ? "in" : "soon";
  return isSeen ? "leaving" : "out";
}

function atOwn(actual: ActualMembers, providerID: string | undefined) {
  if (providerID === undefined) return undefined;
  return Object.hasOwn(actual, providerID) ? actual[providerID] : undefined;
}

/** Returns the cloud's members whose node is gone. */
function strays(set: MemberSet, actual: ActualMembers): readonly MemberVerdict[] {
  const known = new Set(set.nodes.map(({ providerID }) => providerID));
  return Object.keys(actual)
    .filter((providerID) => !known.has(providerID))
    .map((providerID) => ({
      node: providerID,
      providerID,
      verdict: "leaving",
      why: "beingDeleted",
    }));
}

/** Keeps a node out of load balancers (spec/30 §1). */
export const EXCLUDE_LABEL = "node.kubernetes.io/exclude-from-external-load-balancers";
/** Set by the cluster autoscaler on a node that it is about to remove, with any value and effect. */
export const AUTOSCALER_TAINT = "ToBeDeletedByClusterAutoscaler";

/** Whether a node belongs behind load balancers, and why or why not. */
export interface Membership {
  readonly node: string;
  readonly isEligible: boolean;
  readonly why: MemberVerdict["why"];
  readonly evidence?: string;
}

/**
 * Applies the rule of spec/30 §5: not deleted, not excluded, not being removed by the autoscaler. Readiness, cordon,
 * roles and other taints do not matter; for a node that is in they are reported, so that its membership is explained.
 */
export function membershipOf(node: Node): Membership {
  const name = nameOf(node);
  if (node.metadata?.deletionTimestamp !== undefined) return out(name, "beingDeleted");
  const label = valueAt(labelsOf(node), EXCLUDE_LABEL);
  if (label !== null && isExcluding(label)) {
    return { ...out(name, "excludedByLabel"), evidence: `${EXCLUDE_LABEL}="${label}"` };
  }
  if (hasTaint(node, AUTOSCALER_TAINT)) {
    return { ...out(name, "autoscalerRemoves"), evidence: `taint ${AUTOSCALER_TAINT}` };
  }
  return { node: name, isEligible: true, why: remarkOf(node) };
}

/** Returns what a member update depends on: equal for changes that move no node in or out (spec/30 §5, SW-10). */
export function memberSignature(node: Node): string {
  return membershipOf(node).isEligible ? `in ${providerIdOf(node) ?? ""}` : "out";
}

function out(node: string, why: MemberVerdict["why"]): Membership {
  return { node, isEligible: false, why };
}

const FALSE: ReadonlySet<string> = new Set(["0", "f", "F", "FALSE", "false", "False"]);

/** Anything but a spelling of false excludes, including the empty value. */
function isExcluding(label: string): boolean {
  return !FALSE.has(label);
}

function remarkOf(node: Node): MemberVerdict["why"] {
  if (readyOf(node).status !== "True") return "notReady";
  return node.spec?.unschedulable === true ? "cordoned" : "eligible";
}
