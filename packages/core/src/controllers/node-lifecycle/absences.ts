import type { AbsenceProof, Lookup } from "@cloudwright/provider-api";

/**
 * The first proofs of absence, by the node's UID. They live in memory alone: a restart begins with the first pass
 * again, and a node registered anew has none.
 */
export class Absences {
  readonly #first = new Map<string, AbsenceProof>();

  /**
   * The earlier proof, if any; this pass's answer is kept for the next one. Any other answer, a failure too, ends the
   * row: the two proofs must be of consecutive passes.
   */
  note(uid: string, lookup: Lookup): AbsenceProof | undefined {
    const earlier = this.#first.get(uid);
    if (lookup.kind !== "absent") this.#first.delete(uid);
    else if (earlier?.by !== lookup.proof.by) this.#first.set(uid, lookup.proof);
    return earlier;
  }

  has(uid: string): boolean {
    return this.#first.has(uid);
  }

  forget(uid: string): void {
    this.#first.delete(uid);
  }
}
