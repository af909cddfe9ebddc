import type { NotTaken, Plan } from "../../../model/plan.ts";
import type { Reason } from "../../../model/reason.ts";
import { providerIdOf } from "../../objects/node-object.ts";
import type { NodeChange } from "../changes.ts";
import type { NodeObserved } from "../observed.ts";
import { planInitialisation } from "../plan-initialisation.ts";
import { type Override, unfinishedOverride } from "./override.ts";
import { overrideEnd } from "./override-changes.ts";

/** How often a node whose taint is overridden is looked up in the cloud. */
const POLL_EVERY_MS = 10_000;

/**
 * Plans for a node whose taint an admin overrode before it was initialised: it is initialised as soon as the cloud answers, and gets
 * its taint back if the override ends first.
 */
export function planOverridden(
  observed: NodeObserved,
  override: Override,
  nowMs: number,
): Plan<NodeChange> {
  const plan = planInitialisation(observed, nowMs);
  if (finishes(plan)) return plan;
  if (override.untilMs <= nowMs) return planEnd(observed, override);
  return {
    changes: [],
    notTaken: unfinishedSteps(observed, plan.next.reason),
    next: nextOfOverridden(override, nowMs),
  };
}

export function finishes(plan: Plan): boolean {
  return plan.changes.some(({ kind }) => kind === "node.initialise");
}

/** Returns the steps that are not done while a node is without its taint, with the reason. */
export function unfinishedSteps({ node }: NodeObserved, reason: Reason): readonly NotTaken[] {
  const steps = providerIdOf(node) === undefined ? ["provider ID", ...ALWAYS] : ALWAYS;
  return steps.map((step) => ({ step, reason }));
}

export function nextOfOverridden(override: Override, nowMs: number): Plan["next"] {
  const forMs = Math.max(0, Math.min(POLL_EVERY_MS, override.untilMs - nowMs));
  return { kind: "waiting", reason: unfinishedOverride(override), forMs };
}

const ALWAYS: readonly string[] = ["addresses", "labels"];

function planEnd({ node }: NodeObserved, { by, untilMs }: Override): Plan<NodeChange> {
  const reason: Reason = { code: "OverrideExpired", by, untilMs };
  return {
    changes: [overrideEnd(node, reason)],
    notTaken: [],
    next: { kind: "waiting", reason, forMs: 0 },
  };
}
