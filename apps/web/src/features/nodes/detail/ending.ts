import { carrierFor } from "@cloudwright/core/model/controller-names";
import { type Hold, holdIn, type Reason } from "@cloudwright/core/model/reason";
import type { NodeControllerState, NodeDetail } from "@cloudwright/store/views/node-detail";

const WRITES_HOLDS = carrierFor("hold", "Node");

/** What a user did to a node that ends by itself. */
export interface Ending {
  readonly kind: "hold" | "override";
  readonly by: string | undefined;
  readonly why: string | undefined;
  /** Milliseconds since the epoch; undefined for a hold that kubectl set without an end. */
  readonly until: number | undefined;
}

/** What a node's detail has to say for this. */
export interface ReportedNode {
  readonly row: { readonly reason: Reason };
  readonly controllers: readonly Pick<NodeControllerState, "controller" | "reason">[];
  readonly goneAt: NodeDetail["goneAt"];
}

export function holdOf(node: ReportedNode): Hold | undefined {
  return holdIn(reasonOf(node));
}

export function endingOf(node: ReportedNode): Ending | undefined {
  const reason = reasonOf(node);
  if (node.goneAt !== undefined) return undefined;
  const hold = holdIn(reason);
  if (hold !== undefined) return { kind: "hold", by: hold.by, why: hold.why, until: hold.untilMs };
  if (reason.code !== "FreedUnfinished") return undefined;
  return { kind: "override", by: reason.by, why: reason.why, until: reason.untilMs };
}

/** The loop that writes holds looks at the node at once after each; the other one's word may be older. */
function reasonOf({ controllers, row }: ReportedNode): Reason {
  return controllers.find(({ controller }) => controller === WRITES_HOLDS)?.reason ?? row.reason;
}
