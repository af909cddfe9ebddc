import type { GuardedNode } from "../model/controls.ts";

/**
 * Limits how many nodes may be deleted (DESIGN.md "Deletion guard"). A node may be deleted only if `verdict` is not
 * *held* and `take` has returned true right before.
 */
export interface DeletionGuard {
  /** Returns the verdict from what is known now; makes no call and changes nothing. */
  verdict(node: GuardedNode): GuardVerdict;
  /**
   * Counts the deletion before it is done. Returns false when the limit was reached meanwhile: plan again. Throws
   * KubeError when the control record can be read but not written: then nothing may be deleted.
   */
  take(node: GuardedNode): Promise<boolean>;
  /**
   * Returns what `take` would answer. Only dry runs have it, as they plan deletions but never take them. A deletion that
   * would pass is counted, so that those beyond the limit show as held.
   */
  foresee?(node: GuardedNode): GuardVerdict;
  /**
   * Notes why this node's deletion waits; undefined when it no longer waits because the node came back, is gone or was
   * released.
   */
  waits(node: GuardedNode, because: string | undefined): void;
}

export type GuardVerdict =
  | { readonly kind: "free" }
  /** An admin has released this particular node. */
  | { readonly kind: "released"; readonly by: string; readonly intentId: string }
  | {
      readonly kind: "held";
      /** Deletions counted in the window. */
      readonly deleted: number;
      readonly limit: number;
      readonly windowMs: number;
      /** How many deletions wait, including this one. */
      readonly held: number;
    };
