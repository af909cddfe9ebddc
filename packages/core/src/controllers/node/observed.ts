import type { InstanceFacts, Lookup } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { ObjectAction, RequestedAction } from "../../model/actions/action.ts";
import type { ReconcileContext } from "../../reconcile/reconciler.ts";
import type { NodeChange } from "./changes.ts";
import type { WantedLabels } from "./labels.ts";
import type { NodeMemory } from "./node-memory.ts";

/** Everything that a plan for a node is made of. */
export interface NodeObserved {
  readonly node: Node;
  readonly provider: string;
  readonly policy: NodePolicy;
  /** What the cloud said last of this node; undefined before the first answer. A held node is not asked for. */
  readonly lookup: Lookup | undefined;
  /** Whether it said so now. */
  readonly isRequested: boolean;
  /** The facts last seen; older than `lookup` when that one failed. */
  readonly facts: InstanceFacts | undefined;
  /** What these facts ask for, computed once: plan, timeline and view all read it. Undefined without facts. */
  readonly labels: WantedLabels | undefined;
  /** Whether this process saw it with the uninitialized taint, and nobody has initialised it since as far as it saw. */
  readonly wasUninitialised: boolean;
  /** A user's action that the plan is for. */
  readonly requested: RequestedAction<ObjectAction> | undefined;
  /** Another node that has the provider ID which this one has or would get. */
  readonly twin: string | undefined;
}

/** What a run of the node loop offers. Its writes answer with the node that came of them. */
export type NodeContext = ReconcileContext<NodeObserved, NodeChange, NodeMemory, Node>;

export interface NodePolicy {
  /** How long after its creation a node may be unknown to the cloud without that being a failure. */
  readonly newNodeGraceMs: number;
  readonly refreshPeriodMs: number;
}
