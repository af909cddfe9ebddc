import type { AbsenceProof, Lookup } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { GuardVerdict } from "../../reconcile/deletion-guard.ts";
import type { ReconcileContext } from "../../reconcile/reconciler.ts";
import type { LifecycleAnswer, LifecycleChange } from "./changes.ts";

/** Everything from which a lifecycle plan is made. */
export interface LifecycleObserved {
  readonly node: Node;
  readonly provider: string;
  readonly policy: LifecyclePolicy;
  /** The cloud's answer in this run; undefined for a node that is Ready or held, as the cloud was not asked. */
  readonly lookup: Lookup | undefined;
  /** The proof of absence from an earlier pass, unless an answer since then contradicts it. */
  readonly earlierAbsence: AbsenceProof | undefined;
  /** The deletion guard's verdict; undefined if it is off or was not asked. */
  readonly guard: GuardVerdict | undefined;
  /** The proof on which the guard held the deletion in an earlier pass; only while it still holds it. */
  readonly heldUpon: AbsenceProof | undefined;
  /** How many nodes of the cluster claim to run in this cloud; 0 if the cloud was not asked. */
  readonly nodesOfCloud: number;
}

/**
 * What we know of a node beyond what the API server stores. It is lost with the process, and the next one starts again with the
 * first proof.
 */
export interface LifecycleMemory {
  /** The first proof of absence, until an answer contradicts it. */
  readonly firstAbsence?: AbsenceProof | undefined;
  /**
   * The proof on which its deletion was held. While the guard holds it, a node is checked together with all others, which
   * proves no absence: it only shows which instances came back.
   */
  readonly heldUpon?: AbsenceProof | undefined;
  /** Whether its deletion was announced. */
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
  /** `--new-node-grace`: how long a newly registered node may be missing from the cloud. */
  readonly newNodeGraceMs: number;
  /** `--node-monitor-period`: the minimum time between the two proofs that a deletion needs. */
  readonly monitorPeriodMs: number;
}
