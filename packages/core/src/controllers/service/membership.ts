import type { Node } from "../../kube/client.ts";
import type { MemberVerdict } from "../../model/balancer-record.ts";
import { hasTaint, providerIdOf, readyOf } from "../objects/node-object.ts";
import { labelsOf, nameOf, valueAt } from "../objects/object-meta.ts";

/** Keeps a node out of balancers (spec/30 §1). */
export const EXCLUDE_LABEL = "node.kubernetes.io/exclude-from-external-load-balancers";
/** Set by the cluster autoscaler on a node that it is about to remove; any value and effect. */
export const AUTOSCALER_TAINT = "ToBeDeletedByClusterAutoscaler";

/** Whether a node belongs behind balancers at all, and why or why not. */
export interface Membership {
  readonly node: string;
  readonly isEligible: boolean;
  readonly why: MemberVerdict["why"];
  readonly evidence?: string;
}

/**
 * The rule of spec/30 §5: not deleted, not excluded, not being removed by the autoscaler. Readiness, cordon, roles and
 * other taints do not matter; of a node that is in they are reported, so that its membership is explained.
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

/** What a member update depends on: equal for changes that move no node in or out (spec/30 §5, SW-10). */
export function memberSignature(node: Node): string {
  return membershipOf(node).isEligible ? `in ${providerIdOf(node) ?? ""}` : "out";
}

function out(node: string, why: MemberVerdict["why"]): Membership {
  return { node, isEligible: false, why };
}

const FALSE: ReadonlySet<string> = new Set(["0", "f", "F", "FALSE", "false", "False"]);

/** Anything that is no spelling of false excludes, also the empty value. */
function isExcluding(label: string): boolean {
  return !FALSE.has(label);
}

function remarkOf(node: Node): MemberVerdict["why"] {
  if (readyOf(node).status !== "True") return "notReady";
  return node.spec?.unschedulable === true ? "cordoned" : "eligible";
}
