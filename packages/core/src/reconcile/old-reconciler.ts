import type { Change, Plan } from "../model/plan.ts";
import type { Trigger } from "../model/run.ts";
import type { Projection, Reconciler, RunContext, RunResult } from "./reconciler.ts";

/** A reconciler that keeps its memories and publishes by itself. */
export interface OldReconciler<Observed, Typed extends Change>
  extends Pick<
    Reconciler<Observed, Typed, undefined>,
    "controller" | "object" | "keyOf" | "isInBulk"
  > {
  isSettled?(key: string, trigger: Trigger): boolean;
  observe(key: string, run: RunContext): Promise<Observed | undefined>;
  plan(observed: Observed, nowMs: number): Plan<Typed>;
  apply(change: Typed, observed: Observed, run: RunContext): Promise<void>;
  project(observed: Observed, plan: Plan<Typed>, result: ApplyResult): Projection;
}

export interface ApplyResult {
  readonly applied: number;
  readonly runId: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

export function fromOld<Observed, Typed extends Change>(
  old: OldReconciler<Observed, Typed>,
): Reconciler<Observed, Typed, undefined, void> {
  return {
    ...old,
    noMemory: undefined,
    isSettled: (key, { trigger }) => old.isSettled?.(key, trigger) === true,
    plan: (observed, _memory, nowMs) => old.plan(observed, nowMs),
    conclude: ({ observed, plan, result, memory }) => ({
      memory,
      effects: [],
      view: isPast(plan, result)
        ? { name: "", uid: "", drift: "notChecked" }
        : old.project(observed, plan, result),
    }),
  };
}

/** Whether it was observed anew since, which showed nothing: the view does not count then. */
function isPast({ changes }: Plan, { isGone, error, applied }: RunResult): boolean {
  return isGone || (error !== undefined && applied === changes.length);
}
