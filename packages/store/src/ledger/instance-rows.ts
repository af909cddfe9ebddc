import type { Heartbeat } from "@cloudwright/core/model/records/record";
import type { SettingsRecord } from "@cloudwright/core/model/records/settings-record";

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
} as const;

function processOf(heartbeat: Heartbeat): Partial<Heartbeat> {
  const { ledgerLagMs, startedAt, lease, idle, missingPermissions, inventory } = heartbeat;
  return { ledgerLagMs, startedAt, lease, idle, missingPermissions, inventory };
}

export function settingsRow({ cluster, instance, at, flags }: SettingsRecord): object {
  return { cluster_id: cluster, identity: instance, at, flags };
}
