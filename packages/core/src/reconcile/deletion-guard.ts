import type { GuardedNode } from "../model/controls.ts";

/**
 * The brake on deletions of many nodes (DESIGN.md "Deletion guard"). A node is deleted only when `verdict` is not *held*
 * and `take` has said yes right before.
 */
export interface DeletionGuard {
  /** What holds now, from what is known; asks nobody and changes nothing. */
  verdict(node: GuardedNode): GuardVerdict;
  /**
   * Counts the deletion before it is done. False: the limit was reached meanwhile, plan anew. Throws KubeError when the
   * control record cannot be written although it can be read: then nothing may be deleted.
   */
  take(node: GuardedNode): Promise<boolean>;
  /**
   * Only of a dry run, which plans a deletion and never takes it: what `take` would say of it. A yes is counted, so that
   * of many deletions those beyond the limit show as held.
   */
  foresee?(node: GuardedNode): GuardVerdict;
  /** Notes why this node's deletion waits, or (undefined) that it waits no more: it came back, is gone or was released. */
  waits(node: GuardedNode, because: string | undefined): void;
}

export type GuardVerdict =
  | { readonly kind: "free" }
  /** An admin has let this very node through. */
  | { readonly kind: "released"; readonly by: string; readonly intentId: string }
  | {
      readonly kind: "held";
      /** Deletions counted in the window. */
      readonly deleted: number;
      readonly limit: number;
      readonly windowMs: number;
      /** How many deletions wait with this one. */
      readonly held: number;
    };
