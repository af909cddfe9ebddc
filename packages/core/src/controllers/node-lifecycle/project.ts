import { isNodeAddress } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { LifecycleDetail, MachineAnswer } from "../../model/machine-record.ts";
import type { Plan } from "../../model/plan.ts";
import type { ApplyResult } from "../../reconcile/old-reconciler.ts";
import type { Projection } from "../../reconcile/reconciler.ts";
import { cloudFacts, nodeRecord } from "../objects/node-record.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import type { LifecycleObserved } from "./observed.ts";

/** What the pages show of a node's life; what it should have is the node loop's to tell. */
export function projectLifecycle(run: {
  readonly observed: LifecycleObserved;
  readonly plan: Plan;
  readonly result: ApplyResult;
  /** The node after the run's writes. */
  readonly node: Node;
}): Projection {
  const { observed, plan, result, node } = run;
  const { lookup } = observed;
  return {
    name: nameOf(node),
    uid: uidOf(node),
    drift:
      plan.changes.length > result.applied
        ? "drifted"
        : lookup === undefined
          ? "notChecked"
          : "inStep",
    node: nodeRecord(node, (node.status?.addresses ?? []).filter(isNodeAddress), result.endedAt),
    ...(lookup?.kind === "found" ? { cloud: cloudFacts(lookup.facts, lookup) } : {}),
    ...detailOf(observed),
  };
}

/** Nothing where nobody was asked, or no answer came: what the cloud said before stands. */
function detailOf(observed: LifecycleObserved): { readonly detail?: LifecycleDetail } {
  const answer = answerOf(observed);
  return answer === undefined ? {} : { detail: { kind: "lifecycle", answer } };
}

function answerOf({ lookup, heldUpon }: LifecycleObserved): MachineAnswer | undefined {
  if (lookup?.kind === "found") {
    const { power, asOf } = lookup.facts;
    return { kind: power, asOf, ...requestOf(lookup) };
  }
  const proof = lookup?.kind === "absent" ? lookup.proof : heldUpon;
  return proof && { kind: "absent", asOf: proof.at, ...requestOf(proof) };
}

function requestOf({ requestId }: { readonly requestId?: string | undefined }) {
  return requestId === undefined ? {} : { requestId };
}
