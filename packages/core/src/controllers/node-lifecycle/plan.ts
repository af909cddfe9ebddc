import type { Lookup } from "@cloudwright/provider-api";
import type { Next, Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import { phrased } from "../../model/reasons/phrases.ts";
import { activeHoldOf } from "../hold/hold.ts";
import { planHeld } from "../hold/plan-held.ts";
import { type LookupWithoutFacts, reasonOfLookup } from "../objects/lookup-reason.ts";
import {
  instanceRefOf,
  readyOf,
  refOf,
  SHUTDOWN_TAINT,
  type Taint,
  taintsOf,
} from "../objects/node-object.ts";
import type { LifecycleChange, ShutdownTaintWrite } from "./changes.ts";
import type { LifecycleObserved } from "./observed.ts";
import { planAbsent, planGuarded } from "./plan-absent.ts";

/** Plans for a node whose kubelet is silent: nothing, a taint while its instance is off, or its deletion. */
export function planLifecycle(observed: LifecycleObserved, nowMs: number): Plan<LifecycleChange> {
  const hold = activeHoldOf(observed.node, nowMs);
  if (hold !== undefined) return planHeld(observed.node, hold, nowMs);
  if (readyOf(observed.node).status === "True") return untaint(observed, { code: "NodeReady" });
  const { lookup, provider, guard, heldUpon } = observed;
  if (lookup === undefined) {
    return nothing({
      kind: "failed",
      reason: { code: "Unexplained", ...phrased("message", "cloudNotAsked") },
    });
  }
  if (lookup.kind === "notListed" && heldUpon !== undefined && guard?.kind === "held") {
    return planGuarded(observed, guard);
  }
  switch (lookup.kind) {
    case "found":
      return planByPower(observed, lookup.facts.power);
    case "absent":
      return planAbsent(observed, lookup.proof, nowMs);
    default:
      return planWithoutAnswer(
        lookup,
        reasonOfLookup(lookup, instanceRefOf(observed.node), provider),
      );
  }
}

/** An instance that is being started is not running yet: its taint stays until it is. */
function planByPower(
  observed: LifecycleObserved,
  power: Extract<Lookup, { kind: "found" }>["facts"]["power"],
): Plan<LifecycleChange> {
  const { provider } = observed;
  if (power === "running") return untaint(observed, { code: "NodeUnreadyInstanceRuns", provider });
  const reason: Reason = { code: "InstanceStopped", provider, state: power };
  const taints = power === "stopped" ? withShutdownTaint(taintsOf(observed.node)) : undefined;
  return {
    changes: taintWrites(observed, taints, reason),
    notTaken: [],
    next: { kind: "settled", reason },
  };
}

function untaint(observed: LifecycleObserved, reason: Reason): Plan<LifecycleChange> {
  const why: Reason =
    reason.code === "NodeReady" ? reason : { code: "InstanceRunning", provider: observed.provider };
  return {
    changes: taintWrites(observed, withoutShutdownTaint(taintsOf(observed.node)), why),
    notTaken: [],
    next: { kind: "settled", reason },
  };
}

function taintWrites(
  { node }: LifecycleObserved,
  taints: ShutdownTaintWrite["after"]["taints"] | undefined,
  reason: Reason,
): readonly ShutdownTaintWrite[] {
  if (taints === undefined) return [];
  const isStop = reason.code === "InstanceStopped";
  return [
    {
      kind: isStop ? "node.shutdown-taint.add" : "node.shutdown-taint.remove",
      system: "cluster",
      target: refOf(node),
      before: { taints: taintsOf(node) },
      after: { taints },
      reason,
    },
  ];
}

/** Concludes nothing from a failed lookup, and leaves nodes that are not ours alone. */
function planWithoutAnswer(lookup: LookupWithoutFacts, reason: Reason): Plan<LifecycleChange> {
  switch (lookup.kind) {
    case "unclaimed":
    case "foreign":
      return nothing({ kind: "settled", reason });
    case "malformed":
      return nothing({ kind: "blocked", reason });
    case "absent":
    case "notListed":
    case "failed":
      return nothing({ kind: "failed", reason });
  }
}

function nothing(next: Next): Plan<LifecycleChange> {
  return { changes: [], notTaken: [], next };
}

/**
 * Returns the taints with exactly one shutdown taint of upstream's effect and no value; undefined if nothing has to
 * change. One that a user set with another effect stays while the instance is off.
 */
function withShutdownTaint(taints: readonly Taint[]): readonly Taint[] | undefined {
  const ours = taints.filter(isUpstreams);
  const [first] = ours;
  if (ours.length === 1 && first !== undefined && (first.value ?? "") === "") return undefined;
  return [
    ...taints.filter((taint) => !isUpstreams(taint)),
    { key: SHUTDOWN_TAINT, effect: "NoSchedule" },
  ];
}

/** Returns the taints without any shutdown taint, whatever its effect; undefined if there is none. */
function withoutShutdownTaint(taints: readonly Taint[]): readonly Taint[] | undefined {
  const rest = taints.filter(({ key }) => key !== SHUTDOWN_TAINT);
  return rest.length === taints.length ? undefined : rest;
}

function isUpstreams({ key, effect }: Taint): boolean {
  return key === SHUTDOWN_TAINT && effect === "NoSchedule";
}
