import type { FlagValues } from "../flags/definitions/all.ts";
import { formatGoDuration } from "../flags/go-duration.ts";

/** The flags in force, in the shape and under the keys of upstream's configuration API (spec/00 §6). */
export function configurationOf(flags: FlagValues): object {
  return {
    Generic: generic(flags),
    KubeCloudShared: shared(flags),
    NodeController: {
      ConcurrentNodeSyncs: flags["concurrent-node-syncs"],
      ConcurrentNodeStatusUpdates: flags["concurrent-node-status-updates"],
    },
    NodeLifecycleController: {
      NodeMonitorPeriod: formatGoDuration(flags["node-monitor-period"]),
      ConcurrentNodeLifecycleSyncs: flags["concurrent-node-lifecycle-syncs"],
    },
    ServiceController: { ConcurrentServiceSyncs: flags["concurrent-service-syncs"] },
    NodeStatusUpdateFrequency: formatGoDuration(flags["node-status-update-frequency"]),
    Webhook: { Webhooks: flags.webhooks },
  };
}

function generic(flags: FlagValues): object {
  return {
    Port: flags["secure-port"],
    Address: flags["bind-address"],
    MinResyncPeriod: formatGoDuration(flags["min-resync-period"]),
    ClientConnection: {
      kubeconfig: flags.kubeconfig,
      acceptContentTypes: "application/json",
      contentType: "application/json",
      qps: flags["kube-api-qps"],
      burst: flags["kube-api-burst"],
    },
    ControllerStartInterval: formatGoDuration(flags["controller-start-interval"]),
    LeaderElection: {
      leaderElect: flags["leader-elect"],
      leaseDuration: formatGoDuration(flags["leader-elect-lease-duration"]),
      renewDeadline: formatGoDuration(flags["leader-elect-renew-deadline"]),
      retryPeriod: formatGoDuration(flags["leader-elect-retry-period"]),
      resourceLock: flags["leader-elect-resource-lock"],
      resourceName: flags["leader-elect-resource-name"],
      resourceNamespace: flags["leader-elect-resource-namespace"],
    },
    Controllers: flags.controllers,
    Debugging: {
      EnableProfiling: flags.profiling,
      EnableContentionProfiling: flags["contention-profiling"],
    },
    LeaderMigrationEnabled: flags["enable-leader-migration"],
  };
}

function shared(flags: FlagValues): object {
  return {
    CloudProvider: { Name: flags["cloud-provider"], CloudConfigFile: flags["cloud-config"] },
    ExternalCloudVolumePlugin: flags["external-cloud-volume-plugin"],
    UseServiceAccountCredentials: flags["use-service-account-credentials"],
    AllowUntaggedCloud: flags["allow-untagged-cloud"],
    RouteReconciliationPeriod: formatGoDuration(flags["route-reconciliation-period"]),
    ClusterName: flags["cluster-name"],
    ClusterCIDR: flags["cluster-cidr"].join(","),
    AllocateNodeCIDRs: flags["allocate-node-cidrs"],
    CIDRAllocatorType: flags["cidr-allocator-type"],
    ConfigureCloudRoutes: flags["configure-cloud-routes"],
    NodeSyncPeriod: formatGoDuration(flags["node-sync-period"]),
  };
}
