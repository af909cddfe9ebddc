import type { AbsenceProof, Lookup } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { GuardVerdict } from "../../reconcile/deletion-guard.ts";

/** Everything that a lifecycle plan is made of. */
export interface LifecycleObserved {
  readonly node: Node;
  readonly provider: string;
  readonly policy: LifecyclePolicy;
  /** What the cloud said in this run; undefined for a node that is Ready or held: nobody was asked. */
  readonly lookup: Lookup | undefined;
  /** The proof of absence that an earlier pass got, if no answer since then spoke against it. */
  readonly earlierAbsence: AbsenceProof | undefined;
  /** What the deletion guard says of it; undefined when it is off or nobody was asked. */
  readonly guard: GuardVerdict | undefined;
  /** The proof upon which the guard held its deletion in an earlier pass; only while it holds it still. */
  readonly heldUpon: AbsenceProof | undefined;
  /** How many nodes of the cluster say that they run in this cloud; 0 when nobody was asked. */
  readonly nodesOfCloud: number;
}

export interface LifecyclePolicy {
  /** `--new-node-grace`: how long the cloud may not list a node that registered just now. */
  readonly newNodeGraceMs: number;
  /** `--node-monitor-period`: the least time between the two proofs that a deletion needs. */
  readonly monitorPeriodMs: number;
}
