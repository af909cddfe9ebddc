import { reasonName } from "@cloudwright/core/model/reason";
import type { RunEnd, RunStart } from "@cloudwright/core/model/run";
import { droppedCallsSchema } from "../spool/strip.ts";
import { requestKeysOf } from "./request-keys.ts";

/** The columns of `runs`, as JSON for one bulk insert; times in milliseconds. */
export interface RunColumns {
  readonly started_at: number;
}

export function runRowOf(run: RunStart | RunEnd, asWritten: unknown): RunColumns {
  return { ...startColumns(run), ...(run.type === "run.end" ? endColumns(run, asWritten) : OPEN) };
}

const OPEN = {
  outcome: "running",
  reason: null,
  reason_code: null,
  next: null,
  duration_ms: null,
  plan_ms: null,
  applied: null,
  cloud_calls: 0,
  kube_calls: 0,
  steps: [],
  has_bodies: false,
  request_keys: [],
  events: null,
};

function startColumns(run: RunStart | RunEnd) {
  return {
    id: run.id,
    cluster_id: run.cluster,
    instance: run.instance,
    controller: run.controller,
    object_kind: run.object.kind,
    object_namespace: run.object.namespace ?? "",
    object_name: run.object.name,
    object_uid: run.object.uid ?? null,
    trigger_kind: run.trigger.kind,
    trigger: run.trigger,
    intent_id: run.trigger.kind === "intent" ? run.trigger.intentId : null,
    attempt: run.attempt,
    started_at: run.startedAt,
    queued_ms: run.queuedMs,
    change_count: run.changes.length,
    dry_run: run.dryRun,
    changes: run.changes,
    not_taken: run.notTaken,
  };
}

function endColumns(run: RunEnd, asWritten: unknown): object {
  const dropped = droppedCallsSchema.safeParse(asWritten).data?.droppedCalls;
  const count = (system: "cloud" | "kube") =>
    run.steps.filter((step) => step.system === system).length + (dropped?.[system] ?? 0);
  return {
    outcome: run.outcome,
    reason: run.reason,
    reason_code: reasonName(run.reason),
    next: run.next,
    duration_ms: run.durationMs,
    plan_ms: run.planMs,
    applied: run.applied,
    cloud_calls: count("cloud"),
    kube_calls: count("kube"),
    steps: run.steps,
    has_bodies: run.steps.some((step) => step.body !== undefined),
    request_keys: requestKeysOf(run),
    events: run.events ?? null,
  };
}

/** The columns of `shadow_plans`, as JSON for one bulk insert; times in milliseconds. */
export interface ShadowPlanColumns {
  readonly at: number;
}

/** Returns the plans of these dry runs: the newest run for each object and controller. Interrupted ones do not count. */
export function newestShadowPlans(dryRuns: readonly RunEnd[]): readonly ShadowPlanColumns[] {
  const newest = new Map<string, ShadowPlanColumns>();
  for (const run of dryRuns) {
    if (run.outcome === "interrupted") continue;
    const key = keyOf(run);
    const row = rowOf(run);
    const known = newest.get(key);
    if (known === undefined || known.at <= row.at) newest.set(key, row);
  }
  return [...newest.values()];
}

function keyOf({ cluster, controller, object }: RunEnd): string {
  return [cluster, controller, object.kind, object.namespace ?? "", object.name].join("\n");
}

function rowOf(run: RunEnd) {
  return {
    cluster_id: run.cluster,
    controller: run.controller,
    object_kind: run.object.kind,
    object_namespace: run.object.namespace ?? "",
    object_name: run.object.name,
    object_uid: run.object.uid ?? null,
    run_id: run.id,
    at: run.startedAt + run.durationMs,
    outcome: run.outcome,
    reason: run.reason,
    reason_code: reasonName(run.reason),
    next: run.next,
    change_count: run.changes.length,
    changes: run.changes,
    not_taken: run.notTaken,
  };
}
