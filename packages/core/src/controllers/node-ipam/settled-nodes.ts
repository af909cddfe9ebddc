import type { Node } from "../../kube/client.ts";
import type { Plan } from "../../model/plan.ts";
import type { ApplyResult } from "../../reconcile/old-reconciler.ts";
import { holdOf } from "../hold/hold.ts";
import { uidOf } from "../objects/object-meta.ts";
import { podCidrsOf } from "../objects/pod-cidrs.ts";

/**
 * Nodes that the last run left with pod ranges and nothing to say about them. The cache's echo of our write finds them so,
 * and would else be written down once more, only because other nodes have got blocks meanwhile.
 */
export class SettledNodes {
  /** The pod ranges by UID. */
  readonly #ranges = new Map<string, string>();

  note(node: Node, plan: Plan, { applied }: Pick<ApplyResult, "applied">): void {
    const isDone = plan.next.reason.code === "PodCIDRsInStep" && applied === plan.changes.length;
    if (isDone) this.#ranges.set(uidOf(node), podCidrsOf(node).join());
    else this.#ranges.delete(uidOf(node));
  }

  /** Whether a run would find the Node as the last one left it; `isWrong`: that others say something about it by now. */
  has(node: Node, isWrong: boolean): boolean {
    if (isWrong || holdOf(node) !== undefined) return false;
    return this.#ranges.get(uidOf(node)) === podCidrsOf(node).join();
  }

  forget(uid: string): void {
    this.#ranges.delete(uid);
  }
}
