import { reasonName } from "@cloudwright/core/model/reason";
import type { ApiUse, BudgetMinute } from "@cloudwright/core/model/records/budget-record";
import { isLaterThan, type ObjectEvent } from "@cloudwright/core/model/records/object-event";
import type { Heartbeat } from "@cloudwright/core/model/records/record";
import type { SettingsRecord } from "@cloudwright/core/model/records/settings-record";
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

/** What these dry runs would do: of several runs of one object by one controller the newest. One that was cut short says nothing. */
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

/** A minute's sums stand in columns of their own, so that a chart of a day reads nothing else. */
export function budgetRow(minute: BudgetMinute): object {
  const { cluster, at, instance, provider, dryRun, coveredMs, cloud, kube } = minute;
  return {
    cluster_id: cluster,
    at,
    instance,
    provider,
    dry_run: dryRun,
    covered_ms: coveredMs,
    calls: sumOf(cloud, "calls"),
    throttled: sumOf(cloud, "throttled"),
    limit_per_minute: cloud.limitPerMinute ?? null,
    kube_calls: sumOf(kube, "calls"),
    kube_throttled: sumOf(kube, "throttled"),
    kube_limit_per_minute: kube.limitPerMinute ?? null,
    cloud,
    kube,
    controllers: minute.controllers,
    waiters: minute.waiters,
  };
}

function sumOf({ operations }: ApiUse, what: "calls" | "throttled"): number {
  return operations.reduce((sum, counts) => sum + counts[what], 0);
}

/** One row a cluster: of several instances the one heard last names it. */
export function clusterRows(heartbeats: readonly Heartbeat[]): readonly object[] {
  const newest = new Map<string, Heartbeat>();
  for (const heartbeat of heartbeats) {
    const known = newest.get(heartbeat.cluster);
    if (known === undefined || known.at <= heartbeat.at) newest.set(heartbeat.cluster, heartbeat);
  }
  return [...newest.values()].map((heartbeat) => ({
    id: heartbeat.cluster,
    name: heartbeat.clusterName,
    provider: heartbeat.provider,
    last_heard_at: heartbeat.at,
  }));
}

export function instanceRow(heartbeat: Heartbeat): object {
  return {
    cluster_id: heartbeat.cluster,
    identity: heartbeat.instance,
    version: heartbeat.version,
    leader: heartbeat.leader,
    lease_transitions: heartbeat.leaseTransitions ?? null,
    heard_at: heartbeat.at,
    watch_silent_ms: Math.round(heartbeat.watchSilentMs),
    spool_bytes: heartbeat.spoolBytes,
    dry_run: heartbeat.dryRun,
    controllers: heartbeat.controllers,
    cloud: heartbeat.cloud ?? null,
    controls: heartbeat.controls ?? null,
    process: processOf(heartbeat),
  };
}

/** The members that pages alone read. */
export const PROCESS_MEMBERS = {
  ledgerLagMs: true,
  startedAt: true,
  lease: true,
  idle: true,
  missingPermissions: true,
  inventory: true,
  eventWatch: true,
} as const;

function processOf(heartbeat: Heartbeat): Partial<Heartbeat> {
  const { ledgerLagMs, startedAt, lease, idle } = heartbeat;
  const { missingPermissions, inventory, eventWatch } = heartbeat;
  return { ledgerLagMs, startedAt, lease, idle, missingPermissions, inventory, eventWatch };
}

/** One row an Event: of several records in one batch the newest. */
export function eventRows(events: readonly ObjectEvent[]): readonly object[] {
  const newest = new Map<string, ObjectEvent>();
  for (const event of events) {
    const key = `${event.cluster} ${event.uid}`;
    const known = newest.get(key);
    if (known === undefined || isLaterThan(event, known)) newest.set(key, event);
  }
  return [...newest.values()].map(eventRow);
}

function eventRow({ cluster, uid, object, eventType, ...event }: ObjectEvent): object {
  return {
    ...{ cluster_id: cluster, uid, type: eventType },
    object_kind: object.kind,
    object_namespace: object.namespace ?? "",
    object_name: object.name,
    object_uid: object.uid ?? null,
    reason: event.reason,
    message: event.message,
    component: event.component,
    count: event.count,
    first_at: event.firstAt,
    last_at: event.lastAt,
  };
}

export function settingsRow({ cluster, instance, at, flags }: SettingsRecord): object {
  return { cluster_id: cluster, identity: instance, at, flags };
}
