import type { Node } from "../../kube/client.ts";
import { isNodeAddress } from "../../model/node-record.ts";
import type { Plan } from "../../model/plan.ts";
import type { NodeRangesDetail } from "../../model/route-record.ts";
import type { ApplyResult, Projection } from "../../reconcile/reconciler.ts";
import { nodeRecord } from "../node-record.ts";
import { nameOf, uidOf } from "../object-meta.ts";
import { podCidrsOf } from "../pod-cidrs.ts";
import type { IpamObserved } from "./observed.ts";

/** What the pages show of a node's pod ranges. */
export function projectIpam(run: {
  readonly observed: IpamObserved;
  readonly plan: Plan;
  readonly result: ApplyResult;
  /** The node after the run's write. */
  readonly node: Node;
}): Projection {
  const { observed, plan, result, node } = run;
  const detail: NodeRangesDetail = {
    kind: "ranges",
    podCIDRs: podCidrsOf(node),
    pools: observed.pools,
  };
  return {
    name: nameOf(node),
    uid: uidOf(node),
    drift: plan.changes.length > result.applied ? "drifted" : "inStep",
    node: nodeRecord(node, (node.status?.addresses ?? []).filter(isNodeAddress), result.endedAt),
    detail,
  };
}
