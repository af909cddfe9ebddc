import { describe, expect, it } from "vitest";
import { FLAG_NAMES, type FlagName, flagOf } from "../../flags/definitions/all.ts";
import { defaults, parseFlags } from "../../flags/parse-flags.ts";
import { DEFAULT_LEADER_MIGRATION } from "../../wiring/placement/leader-migration.ts";
import { configurationOf } from "./configuration.ts";

/** The keys of upstream's configuration API (spec/00 §6), with the deepest named first. */
const UPSTREAM_KEYS = {
  kind: 0,
  apiVersion: 0,
  Generic: {
    Port: 0,
    Address: 0,
    MinResyncPeriod: 0,
    ClientConnection: { kubeconfig: 0, acceptContentTypes: 0, contentType: 0, qps: 0, burst: 0 },
    ControllerStartInterval: 0,
    LeaderElection: {
      leaderElect: 0,
      leaseDuration: 0,
      renewDeadline: 0,
      retryPeriod: 0,
      resourceLock: 0,
      resourceName: 0,
      resourceNamespace: 0,
    },
    Controllers: 0,
    Debugging: { enableProfiling: 0, enableContentionProfiling: 0 },
    LeaderMigrationEnabled: 0,
    LeaderMigration: { leaderName: 0, resourceLock: 0, controllerLeaders: 0 },
  },
  KubeCloudShared: {
    CloudProvider: { Name: 0, CloudConfigFile: 0 },
    ExternalCloudVolumePlugin: 0,
    UseServiceAccountCredentials: 0,
    AllowUntaggedCloud: 0,
    RouteReconciliationPeriod: 0,
    ClusterName: 0,
    ClusterCIDR: 0,
    AllocateNodeCIDRs: 0,
    CIDRAllocatorType: 0,
    ConfigureCloudRoutes: 0,
    NodeSyncPeriod: 0,
  },
  NodeController: { ConcurrentNodeSyncs: 0, ConcurrentNodeStatusUpdates: 0 },
  NodeLifecycleController: { NodeMonitorPeriod: 0, ConcurrentNodeLifecycleSyncs: 0 },
  ServiceController: { ConcurrentServiceSyncs: 0 },
  NodeStatusUpdateFrequency: 0,
  Webhook: { Webhooks: 0 },
};

/** Valid values other than the default, for flags whose kind alone does not imply one. */
const OTHER_VALUES: Partial<Record<FlagName, string>> = {
  "adopt-consent": "shop/web=lb-1",
  "cloud-provider-socket": "unix:///run/cloudwright/aws.sock",
  "cloud-provider-socket-owner": "65532",
  "cluster-cidr": "10.9.0.0/16",
  "feature-gates": "CloudControllerManagerWebhook=true",
  "node-deletion-guard": "off",
  "bind-address": "127.0.0.9",
  "node-cidr-mask-size": "26",
  "node-cidr-mask-size-ipv4": "26",
  "node-cidr-mask-size-ipv6": "60",
};
const BY_LABEL: Readonly<Record<string, string>> = {
  string: "changed",
  strings: "changed",
  duration: "25h",
  int: "7",
  float: "7",
  bytes: "1Gi",
};
/** Flags that upstream's configuration does not contain either, and flags that must not be shown. */
const NOT_SHOWN: ReadonlySet<FlagName> = new Set([
  "database-url",
  "kube-api-content-type",
  "master",
  "leader-migration-config",
  "webhook-bind-address",
  "webhook-secure-port",
]);
const SHOWN_SECTIONS: ReadonlySet<string> = new Set([
  "Debugging",
  "Leader migration",
  "Generic",
  "Node controller",
  "Node lifecycle controller",
  "Service controller",
  "Route controller",
  "Node IPAM controller",
  "Global",
  "Cloudwright",
]);

function shown(args: readonly string[]): string {
  const parsed = parseFlags(args);
  if (parsed.kind !== "run") throw new Error(`refused: ${JSON.stringify(parsed)}`);
  return JSON.stringify(configurationOf({ flags: parsed.values, migration: undefined }));
}

describe("/configz", () => {
  it("contains every key of upstream's configuration", () => {
    const configuration = configurationOf({ flags: defaults(), migration: undefined });
    expect(configuration).toMatchObject(anything(UPSTREAM_KEYS));
  });

  const flags = FLAG_NAMES.filter(
    (name) => SHOWN_SECTIONS.has(flagOf(name).section) && !NOT_SHOWN.has(name),
  );
  it.each(flags)("shows a changed --%s", (name) => {
    expect(shown([`--${name}=${otherValue(name)}`])).not.toBe(shown([]));
  });

  it("shows the active leader migration", () => {
    const flagValues = { ...defaults(), "enable-leader-migration": true };
    const configuration = configurationOf({
      flags: flagValues,
      migration: DEFAULT_LEADER_MIGRATION,
    });
    expect(configuration).toMatchObject({
      Generic: {
        LeaderMigrationEnabled: true,
        LeaderMigration: {
          leaderName: "cloud-provider-extraction-migration",
          resourceLock: "leases",
          controllerLeaders: expect.arrayContaining([{ name: "route-controller", component: "*" }]),
        },
      },
    });
  });

  it("names its type as upstream does", () => {
    expect(configurationOf({ flags: defaults(), migration: undefined })).toMatchObject({
      kind: "CloudControllerManagerConfiguration",
      apiVersion: "cloudcontrollermanager.config.k8s.io/v1alpha1",
    });
  });

  it("shows controllers by their canonical names, whatever they are called on the command line", () => {
    const controllers = ["*", "-route", "cloud-node", "service-lb-controller"];
    expect(
      configurationOf({ flags: { ...defaults(), controllers }, migration: undefined }),
    ).toMatchObject({
      Generic: {
        Controllers: [
          ...["*", "-node-route-controller", "cloud-node-controller"],
          "service-lb-controller",
        ],
      },
    });
  });

  it("shows how many addresses are refreshed at a time if only initialisation has a number", () => {
    const flags = { ...defaults(), "concurrent-node-syncs": 4 };
    expect(configurationOf({ flags, migration: undefined }).NodeController).toEqual({
      ConcurrentNodeSyncs: 4,
      ConcurrentNodeStatusUpdates: 4,
    });
  });

  it("does not show the database's address", () => {
    expect(shown(["--database-url=postgresql://u:s3cret@db/l"])).not.toContain("s3cret");
  });
});

function otherValue(name: FlagName): string {
  const { kind, initial } = flagOf(name);
  if (typeof initial === "boolean") return String(!initial);
  const choice = kind.label.split("|").find((each) => each !== kind.format(initial));
  const value = OTHER_VALUES[name] ?? BY_LABEL[kind.label.split(",", 1)[0] ?? ""] ?? choice;
  if (value === undefined) throw new Error(`no other value is known for --${name} (${kind.label})`);
  return value;
}

/** Matches the same shape with any leaves. */
function anything(shape: object): object {
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => [
      key,
      typeof value === "object" ? anything(value as object) : expect.anything(),
    ]),
  );
}
