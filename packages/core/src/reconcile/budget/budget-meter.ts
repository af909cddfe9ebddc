import { isProviderError } from "@cloudwright/provider-api";
import type { CloudCall } from "../../cloud/calls/call-context.ts";
import type { LookupReport } from "../../cloud/gathering/shared-questions.ts";
import type { KubeCallReport } from "../../kube/calls/call.ts";
import { CALL_PRIORITIES, type CallPriority } from "../../model/call-priority.ts";
import type {
  BudgetMinute,
  LookupCounts,
  PriorityWaits,
} from "../../model/records/budget-record.ts";
import type { RunEnd } from "../../model/run.ts";
import { OperationTally } from "./operation-tally.ts";
import { RunTally } from "./run-tally.ts";

/** Counts the calls to the cloud and to the Kubernetes API since the counts were last taken. */
export interface BudgetMeter {
  cloudCall(call: CloudCall): void;
  kubeCall(call: KubeCallReport): void;
  lookup(lookup: LookupReport): void;
  /** Counts a call to the cloud that the budget let through after this many milliseconds. */
  turn(priority: CallPriority, waitMs: number): void;
  /** Counts a call to the cloud that was not made because the budget could not have let it through in time. */
  putOff(priority: CallPriority): void;
  /** Notes how many calls a second the cloud allows from now on; undefined without a limit. */
  allows(perSecond: number | undefined): void;
  runEnded(run: RunEnd): void;
  take(): Metered;
}

export type Metered = Pick<BudgetMinute, "cloud" | "kube" | "controllers" | "waiters">;

const THROTTLED = 429;

export function createBudgetMeter(): BudgetMeter {
  const cloud = new OperationTally();
  const kube = new OperationTally();
  const runs = new RunTally();
  const priorities = priorityTally();
  const lookups = lookupTally();
  const limit = leastLimit();
  return {
    cloudCall: (call) => cloud.add({ ...call, result: resultOfCloud(call.error) }),
    kubeCall: (call) => kube.add(kubeCallOf(call)),
    lookup: lookups.add,
    turn: priorities.turn,
    putOff: priorities.putOff,
    allows: limit.note,
    runEnded: (run) => runs.add(run),
    take: () => ({
      cloud: {
        ...limit.take(),
        operations: cloud.take(),
        priorities: priorities.take(),
        lookups: lookups.take(),
      },
      kube: { operations: kube.take() },
      ...runs.take(),
    }),
  };
}

function resultOfCloud(error: unknown): "ok" | "throttled" | "failed" {
  if (error === undefined) return "ok";
  return isProviderError(error) && error.code === "Throttled" ? "throttled" : "failed";
}

function kubeCallOf(call: KubeCallReport) {
  const { verb, resource, name, durationMs, limiterWaitMs, status, attempts, error } = call;
  const failed = error === undefined ? "ok" : "failed";
  return {
    operation: `${verb.toUpperCase()} ${resource}`,
    target: name,
    durationMs,
    limiterWaitMs,
    result: status === THROTTLED ? "throttled" : failed,
    resent: Math.max(0, attempts - 1),
  } as const;
}

function priorityTally() {
  const waits = new Map<CallPriority, Waits>();
  const of = (priority: CallPriority): Waits => {
    const known = waits.get(priority) ?? noWaits(priority);
    waits.set(priority, known);
    return known;
  };
  return {
    turn(priority: CallPriority, waitMs: number): void {
      const counts = of(priority);
      counts.calls += 1;
      if (waitMs <= 0) return;
      counts.waited += 1;
      counts.waitMs += Math.round(waitMs);
      counts.longestWaitMs = Math.max(counts.longestWaitMs, Math.round(waitMs));
    },
    putOff(priority: CallPriority): void {
      of(priority).putOff += 1;
    },
    take(): readonly PriorityWaits[] {
      const taken = CALL_PRIORITIES.flatMap((priority) => waits.get(priority) ?? []);
      waits.clear();
      return taken;
    },
  };
}

type Waits = { -readonly [Member in keyof PriorityWaits]: PriorityWaits[Member] };

function noWaits(priority: CallPriority): Waits {
  return { priority, calls: 0, waited: 0, waitMs: 0, longestWaitMs: 0, putOff: 0 };
}

function lookupTally() {
  const counts = new Map<string, { -readonly [M in keyof LookupCounts]: LookupCounts[M] }>();
  return {
    add({ what, withoutCall, sharedBy }: LookupReport): void {
      const known = counts.get(what) ?? { what, asked: 0, withoutCall: 0, shared: 0 };
      known.asked += 1;
      if (withoutCall) known.withoutCall += 1;
      else if (sharedBy > 1) known.shared += 1;
      counts.set(what, known);
    },
    take(): readonly LookupCounts[] {
      const taken = [...counts.values()];
      counts.clear();
      return taken;
    },
  };
}

/** Returns the lowest limit since the counts were last taken, including the one already in force at that time. */
function leastLimit() {
  let now: number | undefined;
  let least: number | undefined;
  return {
    note(perSecond: number | undefined): void {
      now = perSecond;
      if (perSecond !== undefined) least = Math.min(least ?? perSecond, perSecond);
    },
    take(): { readonly limitPerMinute?: number } {
      const taken = least;
      least = now;
      return taken === undefined ? {} : { limitPerMinute: Math.round(taken * 60) };
    },
  };
}
