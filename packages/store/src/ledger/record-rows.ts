import type { ApiUse, BudgetMinute } from "@cloudwright/core/model/records/budget-record";
import type { LedgerGap } from "@cloudwright/core/model/records/gap";
import { isLaterThan, type ObjectEvent } from "@cloudwright/core/model/records/object-event";
import type { Heartbeat } from "@cloudwright/core/model/records/record";
import type { SettingsRecord } from "@cloudwright/core/model/records/settings-record";

/* The columns of the tables other than those of runs, as JSON for bulk inserts; times in milliseconds. */

/** The sums of a minute have their own columns, so that a chart of a day reads nothing else. */
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

/** Returns one row per cluster, with the name from its newest heartbeat. */
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

/** The heartbeat's members that only pages read. */
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

/** Returns one row per Event: the newest of several records in one batch. */
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

export function gapRow(gap: LedgerGap): object {
  return {
    id: gap.id,
    cluster_id: gap.cluster,
    instance: gap.instance,
    from_at: gap.from,
    to_at: gap.to,
    records: gap.records,
    calls: gap.calls,
  };
}
