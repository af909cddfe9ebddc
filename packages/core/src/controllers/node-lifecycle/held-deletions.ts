import type { AbsenceProof } from "@cloudwright/provider-api";
import type { Plan } from "../../model/plan.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { DeletionGuard } from "../../reconcile/deletion-guard.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import type { LifecycleObserved } from "./observed.ts";
import { goneReason } from "./plan-absent.ts";

/**
 * The proofs upon which deletions were held, by the node's UID. While the guard holds it, a node is looked at with all
 * others, which proves no absence: it only shows who came back.
 */
export class HeldDeletions {
  readonly #guard: DeletionGuard | undefined;
  readonly #proofs = new Map<string, AbsenceProof>();

  constructor(guard: DeletionGuard | undefined) {
    this.#guard = guard;
  }

  proofOf(uid: string): AbsenceProof | undefined {
    return this.#proofs.get(uid);
  }

  /** Tells the guard after each run whether the node's deletion waits. */
  concluded(observed: LifecycleObserved, plan: Plan, applied: number): void {
    const { node } = observed;
    const held = { name: nameOf(node), uid: uidOf(node) };
    if (plan.next.reason.code === "DeletionGuardHeld") {
      const proof = proofIn(observed);
      if (proof === undefined) return;
      this.#proofs.set(held.uid, proof);
      this.#guard?.waits(held, eventMessage(goneReason(observed, proof)));
    } else if (isOver(plan, applied)) {
      this.forget(held.name, held.uid);
    }
  }

  forget(name: string, uid: string): void {
    this.#proofs.delete(uid);
    this.#guard?.waits({ name, uid }, undefined);
  }
}

function proofIn({ lookup, heldUpon }: LifecycleObserved): AbsenceProof | undefined {
  return lookup?.kind === "absent" ? lookup.proof : heldUpon;
}

/** It lives, was deleted, or something else than the guard keeps it; a failure or the first proof say nothing yet. */
function isOver({ next, changes }: Plan, applied: number): boolean {
  return (next.kind === "settled" || next.kind === "blocked") && applied === changes.length;
}
