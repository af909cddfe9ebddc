import type { InstanceFacts, Lookup } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { ObjectAction, RequestedAction } from "../../model/actions/action.ts";
import type { ReconcileContext } from "../../reconcile/reconciler.ts";
import type { NodeChange } from "./changes.ts";
import type { WantedLabels } from "./labels.ts";
import type { NodeMemory } from "./node-memory.ts";

/** Everything from which a node's plan is made. */
export interface NodeObserved {
  readonly node: Node;
  readonly provider: string;
  readonly policy: NodePolicy;
  /**
   * The cloud's last answer about this node; undefined before the first one. The cloud is not asked about a held
   * node.
   */
  readonly lookup: Lookup | undefined;
  /** Whether that answer is from this run. */
  readonly isRequested: boolean;
  /** The facts last seen; older than `lookup` if that one failed. */
  readonly facts: InstanceFacts | undefined;
  /** The labels that follow from these facts, computed once for plan, timeline and view. Undefined without facts. */
  readonly labels: WantedLabels | undefined;
  /** Whether this process saw the node with the uninitialized taint and has seen nobody initialise it since. */
  readonly wasUninitialised: boolean;
  /** The user's action to plan for. */
  readonly requested: RequestedAction<ObjectAction> | undefined;
  /** Another node with the provider ID that this one has or would get. */
  readonly twin: string | undefined;
}

/** What the node loop's runs offer. A write returns the resulting node. */
export type NodeContext = ReconcileContext<NodeObserved, NodeChange, NodeMemory, Node>;

export interface NodePolicy {
  /** How long after its creation the cloud may not know a node without that being a failure. */
  readonly newNodeGraceMs: number;
  readonly refreshPeriodMs: number;
}
