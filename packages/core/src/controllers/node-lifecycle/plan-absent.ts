import type { AbsenceProof } from "@cloudwright/provider-api";
import type { Next, NotTaken, Plan } from "../../model/plan.ts";
import type { Reason, ReasonOf } from "../../model/reason.ts";
import type { GuardVerdict } from "../../reconcile/deletion-guard.ts";
import { reasonOfLookup } from "../objects/lookup-reason.ts";
import { instanceRefOf, isUninitialised, providerIdOf, refOf } from "../objects/node-object.ts";
import { createdAtOf, uidOf } from "../objects/object-meta.ts";
import type { LifecycleChange, NodeDelete } from "./changes.ts";
import type { LifecycleObserved } from "./observed.ts";

/** Proofs closer together than this show the same moment of the cloud, whatever the monitor period. */
const LEAST_PROOF_DISTANCE_MS = 1_000;
/** How often a node is checked while its deletion waits for a finalizer. */
const LINGERING_MS = 30_000;

/**
 * Plans for a node whose instance is proven absent (DESIGN.md "Deletion guard"): it is deleted on the second
 * proof, one pass later, unless it is too new, the cloud never knew it by its ID, or this may be the wrong cloud.
 */
export function planAbsent(
  observed: LifecycleObserved,
  proof: AbsenceProof,
  nowMs: number,
): Plan<LifecycleChange> {
  const next = obstacleOf(observed, proof, nowMs) ?? waitForSecondProof(observed, proof);
  if (next !== undefined) return { changes: [], notTaken: notTakenOf(next), next };
  if (observed.guard?.kind === "held") return planGuarded(observed, observed.guard);
  const reason = goneReason(observed, proof);
  return { changes: [deletion(observed, reason)], notTaken: [], next: { kind: "settled", reason } };
}

/** Plans a deletion that waits for an admin (DESIGN.md "Deletion guard"). */
export function planGuarded(
  { node, provider }: LifecycleObserved,
  { deleted, limit, windowMs, held }: Extract<GuardVerdict, { kind: "held" }>,
): Plan<LifecycleChange> {
  const reason: Reason = {
    code: "DeletionGuardHeld",
    provider,
    providerID: nameInCloud(node),
    deleted,
    limit,
    windowMs,
    held,
  };
  const next: Next = { kind: "blocked", reason };
  return { changes: [], notTaken: notTakenOf(next), next };
}

function obstacleOf(
  observed: LifecycleObserved,
  proof: AbsenceProof,
  nowMs: number,
): Next | undefined {
  const { node, provider, nodesOfCloud } = observed;
  if (node.metadata?.deletionTimestamp !== undefined) {
    return { kind: "waiting", reason: goneReason(observed, proof), forMs: LINGERING_MS };
  }
  if (providerIdOf(node) === undefined || proof.by === "name") {
    const obstacle = obstacleWithoutId(observed, proof, nowMs);
    if (obstacle !== undefined) return obstacle;
  }
  if (!proof.cloudShowsOthers && nodesOfCloud > 1) {
    return { kind: "failed", reason: { code: "CloudListsNothing", provider, nodes: nodesOfCloud } };
  }
  return undefined;
}

/**
 * Absence by name proves little: only a node that has waited for the cloud longer than the grace period may be
 * deleted for it.
 */
function obstacleWithoutId(
  observed: LifecycleObserved,
  proof: AbsenceProof,
  nowMs: number,
): Next | undefined {
  const { node, provider, policy } = observed;
  if (!isUninitialised(node) || providerIdOf(node) !== undefined) {
    const ref = { nodeName: instanceRefOf(node).nodeName, providerID: undefined };
    const reason = reasonOfLookup({ kind: "absent", proof }, ref, provider);
    return { kind: "blocked", reason };
  }
  const untilMs = createdAtOf(node) + policy.newNodeGraceMs;
  if (nowMs >= untilMs) return undefined;
  const forMs = Math.min(untilMs - nowMs, policy.monitorPeriodMs * 3);
  return { kind: "waiting", reason: { code: "NewNodeGrace", untilMs }, forMs };
}

function waitForSecondProof(observed: LifecycleObserved, proof: AbsenceProof): Next | undefined {
  const { earlierAbsence, policy, provider, node } = observed;
  const distance = Math.max(LEAST_PROOF_DISTANCE_MS, policy.monitorPeriodMs);
  const isSame = earlierAbsence !== undefined && earlierAbsence.by === proof.by;
  const elapsed = isSame ? proof.at - earlierAbsence.at : 0;
  if (isSame && elapsed >= distance) return undefined;
  const reason: ReasonOf<"InstanceAbsentOnce"> = {
    code: "InstanceAbsentOnce",
    provider,
    providerID: nameInCloud(node),
    requestId: proof.requestId,
  };
  return { kind: "waiting", reason, forMs: distance - elapsed };
}

/** Returns why a node whose instance is proven absent is deleted. */
export function goneReason({ provider, node }: LifecycleObserved, proof: AbsenceProof): Reason {
  return {
    code: "InstanceGone",
    provider,
    providerID: nameInCloud(node),
    requestId: proof.requestId,
  };
}

function deletion({ node }: LifecycleObserved, reason: Reason): NodeDelete {
  return {
    kind: "node.delete",
    system: "cluster",
    target: refOf(node),
    before: { uid: uidOf(node), providerID: providerIdOf(node) ?? null },
    after: null,
    reason,
  };
}

function notTakenOf(next: Next): readonly NotTaken[] {
  return [{ step: "delete", reason: next.reason }];
}

function nameInCloud(node: LifecycleObserved["node"]): string {
  return providerIdOf(node) ?? instanceRefOf(node).nodeName;
}
