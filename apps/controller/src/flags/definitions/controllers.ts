import { nodeIpamModule } from "@cloudwright/core/controllers/node-ipam/module";
import { flag } from "../flag.ts";
import { bool, duration, int, ranges, text } from "../kinds.ts";

const maskSize = int(0, 128);

export const CONTROLLER_FLAGS = {
  "concurrent-node-syncs": flag("Node controller", int(), {
    initial: 32,
    help: "Nodes initialised at the same time.",
  }),
  "concurrent-node-status-updates": flag("Node controller", int(0), {
    initial: 0,
    help: "Nodes refreshed at the same time; 0 means the value of --concurrent-node-syncs.",
    idle: "initialisation and refresh share the workers of --concurrent-node-syncs",
  }),
  "node-status-update-frequency": flag("Node controller", duration, {
    initial: 300_000,
    help: "Time between two refreshes of a node's addresses.",
  }),
  "node-monitor-period": flag("Node lifecycle controller", duration, {
    initial: 5_000,
    help: "Time between checks of a node that is not Ready.",
  }),
  "concurrent-node-lifecycle-syncs": flag("Node lifecycle controller", int(), {
    initial: 32,
    help: "Nodes checked at the same time.",
  }),
  "concurrent-service-syncs": flag("Service controller", int(), {
    initial: 32,
    help: "Services reconciled at the same time. Member updates after a change of nodes have eight times as many separate slots. A provider process with upstream's ensure-style interface gets one change at a time unless the flag is given; then this is the limit for both together.",
  }),
  "route-reconciliation-period": flag("Route controller", duration, {
    initial: 10_000,
    help: "Time between two checks of all routes; 5m with the feature gate CloudControllerManagerWatchBasedRoutesReconciliation.",
  }),
  "configure-cloud-routes": flag("Route controller", bool, {
    initial: true,
    help: "Run the route controller if the provider supports routes.",
  }),
  "cluster-cidr": flag("Route controller", ranges, {
    initial: [],
    help: "Pod range of the cluster: one CIDR, or one IPv4 and one IPv6 CIDR. The route controller needs it.",
  }),
  "allocate-node-cidrs": flag("Node IPAM controller", bool, {
    initial: false,
    help: `Assign each node a pod range from --cluster-cidr: runs ${nodeIpamModule.name} unless --controllers turns it off. Do not use it together with kube-controller-manager's allocator.`,
  }),
  "service-cluster-ip-range": flag("Node IPAM controller", ranges, {
    initial: [],
    help: "Service ranges, which are kept out of pod ranges; at most two.",
  }),
  "node-cidr-mask-size": flag("Node IPAM controller", maskSize, {
    initial: 0,
    help: "Mask size of a node's pod range if --cluster-cidr is a single range; 0 means 24 for IPv4 and 64 for IPv6.",
  }),
  "node-cidr-mask-size-ipv4": flag("Node IPAM controller", int(0, 32), {
    initial: 0,
    help: "The same for the IPv4 range; 0 means 24.",
  }),
  "node-cidr-mask-size-ipv6": flag("Node IPAM controller", maskSize, {
    initial: 0,
    help: "The same for the IPv6 range; 0 means 64.",
  }),
};

export const GLOBAL_FLAGS = {
  master: flag("Global", text, {
    initial: "",
    help: "URL of the API server; overrides the one in --kubeconfig.",
  }),
  kubeconfig: flag("Global", text, {
    initial: "",
    help: "Kubeconfig file for the cluster. Without it and --master, the pod's service account is used.",
  }),
};
