import type { Node } from "../../kube/client.ts";
import { isNodeAddress } from "../../model/node-record.ts";
import type { Plan } from "../../model/plan.ts";
import type { ApplyResult, Projection } from "../../reconcile/reconciler.ts";
import { cloudFacts, nodeRecord } from "../node-record.ts";
import { nameOf, uidOf } from "../object-meta.ts";
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
  };
}
