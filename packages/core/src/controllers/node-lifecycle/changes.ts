import type { Node } from "../../kube/client.ts";
import type { Change } from "../../model/plan.ts";
import type { Taint } from "../objects/node-object.ts";

/** The writes of the lifecycle loop. */
export type LifecycleChange = ShutdownTaintWrite | NodeDelete;

/** The result of a write. */
export type LifecycleAnswer =
  /** The resulting node. */
  | { readonly kind: "node"; readonly node: Node }
  /** `gone`: the node was already gone, which is the desired result. */
  | { readonly kind: "deleted" | "gone" };

export type ShutdownTaintWrite = Change & {
  readonly kind: "node.shutdown-taint.add" | "node.shutdown-taint.remove";
  readonly before: TaintsPart;
  readonly after: TaintsPart;
};

export type NodeDelete = Change & {
  readonly kind: "node.delete";
  readonly before: { readonly uid: string; readonly providerID: string | null };
  readonly after: null;
};

export type TaintsPart = { readonly taints: readonly Taint[] };
