import { isNodeAddress } from "@cloudwright/provider-api";
import type { NodeRangesDetail } from "../../model/records/route-record.ts";
import type { Concluded, Conclusion, Projection } from "../../reconcile/reconciler.ts";
import { nodeRecord } from "../objects/node-record.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import { podCidrsOf } from "../objects/pod-cidrs.ts";
import type { Given } from "./apply.ts";
import type { PodCidrsWrite } from "./changes.ts";
import type { IpamMemory, IpamObserved } from "./observed.ts";

type Run = Concluded<IpamObserved, PodCidrsWrite, IpamMemory, Given>;

/** Returns what to remember and show of a node's pod ranges after a run. */
export function concludeIpam(run: Run): Conclusion<IpamMemory> {
  const { observed, plan, result } = run;
  const left = result.written.at(-1)?.answer ?? observed;
  const isSettled = result.isDone && plan.next.reason.code === "PodCIDRsInStep";
  return {
    memory: { settledRanges: isSettled ? podCidrsOf(left.node).join() : undefined },
    effects: [],
    view: viewOf(run, left),
  };
}

/** `node` and `pools` are as the run's write left them. */
function viewOf({ plan, result }: Run, { node, pools }: Given): Projection {
  const detail: NodeRangesDetail = { kind: "ranges", podCIDRs: podCidrsOf(node), pools };
  return {
    name: nameOf(node),
    uid: uidOf(node),
    drift: plan.changes.length > result.applied ? "drifted" : "inStep",
    node: nodeRecord(node, (node.status?.addresses ?? []).filter(isNodeAddress), result.endedAt),
    detail,
  };
}
