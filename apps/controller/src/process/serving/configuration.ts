import { formatGoDuration } from "@cloudwright/core/model/values/go-duration";
import { FLAG_NAMES, type FlagValues, flagOf } from "../../flags/definitions/all.ts";
import { canonicalControllers } from "../../flags/selection.ts";
import type { LeaderMigration } from "../../wiring/placement/leader-migration.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";

/**
 * Returns the flags in effect, in the shape and under the keys of upstream's configuration API (spec/00 §6); flags without a
 * place there follow under keys of their own. The database's address is left out, as it may contain a password.
 */
export function configurationOf({ flags, migration }: Pick<ProcessContext, "flags" | "migration">) {
  return {
    kind: "CloudControllerManagerConfiguration",
    apiVersion: "cloudcontrollermanager.config.k8s.io/v1alpha1",
    Generic: generic(flags, migration),
    KubeCloudShared: shared(flags),
    NodeController: {
      ConcurrentNodeSyncs: flags["concurrent-node-syncs"],
      ConcurrentNodeStatusUpdates:
        flags["concurrent-node-status-updates"] || flags["concurrent-node-syncs"],
    },
    NodeLifecycleController: {
      NodeMonitorPeriod: formatGoDuration(flags["node-monitor-period"]),
      ConcurrentNodeLifecycleSyncs: flags["concurrent-node-lifecycle-syncs"],
    },
    ServiceController: { ConcurrentServiceSyncs: flags["concurrent-service-syncs"] },
    NodeStatusUpdateFrequency: formatGoDuration(flags["node-status-update-frequency"]),
    Webhook: { Webhooks: flags.webhooks },
    NodeIPAMController: nodeIpam(flags),
    FeatureGates: flags["feature-gates"],
    Cloudwright: own(flags),
  };
}

function generic(flags: FlagValues, migration: LeaderMigration | undefined): object {
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
    Controllers: canonicalControllers(flags.controllers),
    Debugging: {
      enableProfiling: flags.profiling,
      enableContentionProfiling: flags["contention-profiling"],
    },
    LeaderMigrationEnabled: flags["enable-leader-migration"],
    LeaderMigration: {
      leaderName: migration?.leaderName ?? "",
      resourceLock: migration?.resourceLock ?? "",
      controllerLeaders: (migration?.controllerLeaders ?? []).map(({ name, component }) => ({
        name,
        component,
      })),
    },
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

/** Under the keys of kube-controller-manager's configuration, where the loop comes from. */
function nodeIpam(flags: FlagValues): object {
  const [serviceRange = "", secondServiceRange = ""] = flags["service-cluster-ip-range"];
  return {
    ServiceCIDR: serviceRange,
    SecondaryServiceCIDR: secondServiceRange,
    NodeCIDRMaskSize: flags["node-cidr-mask-size"],
    NodeCIDRMaskSizeIPv4: flags["node-cidr-mask-size-ipv4"],
    NodeCIDRMaskSizeIPv6: flags["node-cidr-mask-size-ipv6"],
  };
}

/** Returns flags that upstream does not have by their names, with values as on a command line. */
function own(flags: FlagValues): object {
  const shown = FLAG_NAMES.filter(
    (name) => flagOf(name).section === "Cloudwright" && name !== "database-url",
  );
  return Object.fromEntries(shown.map((name) => [name, flagOf(name).kind.format(flags[name])]));
}
