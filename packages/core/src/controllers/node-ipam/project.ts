import { isNodeAddress } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { Plan } from "../../model/plan.ts";
import type { NodeRangesDetail } from "../../model/route-record.ts";
import type { ApplyResult } from "../../reconcile/old-reconciler.ts";
import type { Projection } from "../../reconcile/reconciler.ts";
import { nodeRecord } from "../objects/node-record.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import { podCidrsOf } from "../objects/pod-cidrs.ts";
import type { BlockPool } from "./block-pool.ts";

/** What the pages show of a node's pod ranges. */
export function projectIpam(run: {
  readonly plan: Plan;
  readonly result: ApplyResult;
  /** The node and the pools after the run's write. */
  readonly node: Node;
  readonly pools: readonly BlockPool[];
}): Projection {
  const { plan, result, node, pools } = run;
  const detail: NodeRangesDetail = {
    kind: "ranges",
    podCIDRs: podCidrsOf(node),
    pools: pools.map(({ name, nodeMask, capacity, used }) => ({
      clusterCIDR: name,
      nodeMask,
      capacity,
      used,
    })),
  };
  return {
    name: nameOf(node),
    uid: uidOf(node),
    drift: plan.changes.length > result.applied ? "drifted" : "inStep",
    node: nodeRecord(node, (node.status?.addresses ?? []).filter(isNodeAddress), result.endedAt),
    detail,
  };
}
