import type { AbsenceProof, Lookup } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { GuardVerdict } from "../../reconcile/deletion-guard.ts";
import type { ReconcileContext } from "../../reconcile/reconciler.ts";
import type { LifecycleAnswer, LifecycleChange } from "./changes.ts";

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

/** What we know of a node beside what the API server keeps; lost with the process, which then begins with the first proof again. */
export interface LifecycleMemory {
  /** The first proof of absence, until an answer speaks against it. */
  readonly firstAbsence?: AbsenceProof | undefined;
  /**
   * The proof upon which its deletion was held. While the guard holds it, a node is looked at with all others, which proves no
   * absence: it only shows who came back.
   */
  readonly heldUpon?: AbsenceProof | undefined;
  /** Whether its deletion was reported. */
  readonly isAnnounced?: boolean;
}

export const NO_MEMORY: LifecycleMemory = {};

/** What a run of the lifecycle loop offers. */
export type LifecycleContext = ReconcileContext<
  LifecycleObserved,
  LifecycleChange,
  LifecycleMemory,
  LifecycleAnswer
>;

export interface LifecyclePolicy {
  /** `--new-node-grace`: how long the cloud may not list a node that registered just now. */
  readonly newNodeGraceMs: number;
  /** `--node-monitor-period`: the least time between the two proofs that a deletion needs. */
  readonly monitorPeriodMs: number;
}
