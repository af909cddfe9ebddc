import { requestedByUser } from "../../../model/actions/action.ts";
import type { Next, Plan } from "../../../model/plan.ts";
import type { Reason, ReasonOf } from "../../../model/reason.ts";
import { phrased } from "../../../model/reasons/phrases.ts";
import type { ServiceChange } from "../changes.ts";
import type { OrphanObserved } from "../observed.ts";
import { planCloudRemoval } from "../plan-removal.ts";
import { orphanRef } from "./orphans.ts";

/**
 * Shows a load balancer of ours without a Service; removes it when an admin asks for exactly this one, or when
 * `--orphan-grace` has passed.
 */
export function planOrphan(observed: OrphanObserved, nowMs: number): Plan<ServiceChange> {
  const { requested } = observed;
  const waiting: Plan<ServiceChange> = {
    changes: [],
    notTaken: [],
    next: lastingNext(observed, nowMs),
  };
  const kind = requested?.action.kind ?? "retry";
  if (kind !== "retry" && kind !== "remove-orphan") {
    return refused(waiting, kind, phrased("problem", "notForOrphan", kind));
  }
  const { id } = observed.orphan.owned.facts;
  if (requested?.action.kind === "remove-orphan" && requested.action.balancer !== id) {
    const problem = phrased("problem", "anotherOrphan", requested.action.balancer, id);
    return refused(waiting, kind, problem);
  }
  return planOrphanRemoval(observed, nowMs) ?? waiting;
}

/** Returns when it is removed automatically, in milliseconds since the epoch; undefined if only an admin removes it. */
export function removeAtOf({ orphan, policy }: OrphanObserved): number | undefined {
  return policy.graceMs > 0 ? orphan.firstSeenAt + policy.graceMs : undefined;
}

function planOrphanRemoval(
  observed: OrphanObserved,
  nowMs: number,
): Plan<ServiceChange> | undefined {
  const { comparison, provider, orphan, requested } = observed;
  if (comparison === undefined) return undefined;
  const reason =
    requested?.action.kind === "remove-orphan"
      ? requestedByUser(requested)
      : orphanedReason(observed);
  const target = orphanRef(orphan.owned.facts.id);
  const plan = planCloudRemoval(comparison, { provider, target, reason });
  return plan ?? { changes: [], notTaken: [], next: lastingNext(observed, nowMs) };
}

function refused(
  plan: Plan<ServiceChange>,
  step: string,
  problem: Omit<ReasonOf<"WishRefused">, "code">,
): Plan<ServiceChange> {
  return { ...plan, notTaken: [{ step, reason: { code: "WishRefused", ...problem } }] };
}

function orphanedReason(observed: OrphanObserved): Reason {
  const { orphan, provider } = observed;
  const { facts, service, owner: mark } = orphan.owned;
  const untilMs = removeAtOf(observed);
  return {
    code: "BalancerOrphaned",
    provider,
    id: facts.id,
    service: service ?? mark.objectUid,
    ...(untilMs === undefined ? {} : { untilMs }),
  };
}

function lastingNext(observed: OrphanObserved, nowMs: number): Next {
  const { driftPeriodMs } = observed.policy;
  const removeAt = removeAtOf(observed) ?? Number.POSITIVE_INFINITY;
  const forMs = Math.max(0, Math.min(driftPeriodMs, removeAt - nowMs));
  return { kind: "waiting", reason: orphanedReason(observed), forMs };
}
