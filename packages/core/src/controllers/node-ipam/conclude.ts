import { isNodeAddress } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { NodeRangesDetail } from "../../model/route-record.ts";
import type { Concluded, Conclusion, Projection } from "../../reconcile/reconciler.ts";
import { nodeRecord } from "../objects/node-record.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import { podCidrsOf } from "../objects/pod-cidrs.ts";
import type { PodCidrsWrite } from "./changes.ts";
import type { IpamMemory, IpamObserved } from "./observed.ts";

type Run = Concluded<IpamObserved, PodCidrsWrite, IpamMemory, Node>;

/** What is known and shown of a node's pod ranges after a run. */
export function concludeIpam(run: Run): Conclusion<IpamMemory> {
  const { observed, plan, result } = run;
  const node = result.written.at(-1)?.answer ?? observed.node;
  const isSettled = result.isDone && plan.next.reason.code === "PodCIDRsInStep";
  return {
    memory: { settledRanges: isSettled ? podCidrsOf(node).join() : undefined },
    effects: [],
    view: viewOf(run, node),
  };
}

/** `node` is as the run's write left it. */
function viewOf({ observed: { pools }, plan, result }: Run, node: Node): Projection {
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
