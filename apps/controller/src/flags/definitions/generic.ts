import { flag, IDLE } from "../flag.ts";
import { bool, duration, float, gates, int, list, oneOf, text } from "../kinds.ts";

/** The allocators of all upstream versions. */
const ALLOCATORS = [
  "RangeAllocator",
  "CloudAllocator",
  "IPAMFromCluster",
  "IPAMFromCloud",
] as const;

export const GENERIC_FLAGS = {
  "min-resync-period": flag("Generic", duration, {
    initial: 43_200_000,
    help: "Minimum time between two replays of a cache.",
    idle: "each controller checks again at its own interval",
  }),
  "kube-api-content-type": flag("Generic", text, {
    initial: "application/vnd.kubernetes.protobuf",
    help: "Encoding of requests to the API server.",
    idle: "requests are JSON",
  }),
  "kube-api-qps": flag("Generic", float, {
    initial: 500,
    help: "Requests per second to the API server; 0 or less means no limit.",
  }),
  "kube-api-burst": flag("Generic", int(), {
    initial: 1_000,
    help: "Requests to the API server that may be sent in one burst.",
  }),
  "controller-start-interval": flag("Generic", duration, {
    initial: 0,
    help: "Pause between the starts of two controllers.",
  }),
  controllers: flag("Generic", list, {
    initial: ["*"],
    help: "Controllers to run: * means all that are on by default, NAME turns one on, -NAME turns it off.",
  }),
  "leader-elect": flag("Generic", bool, {
    initial: true,
    help: "Act only while holding the Lease, so that replicas do not conflict.",
  }),
  "leader-elect-lease-duration": flag("Generic", duration, {
    initial: 15_000,
    help: "How long other replicas wait before they take over from a leader that no longer renews the Lease.",
  }),
  "leader-elect-renew-deadline": flag("Generic", duration, {
    initial: 10_000,
    help: "How long the leader tries to renew the Lease before it gives up.",
  }),
  "leader-elect-retry-period": flag("Generic", duration, {
    initial: 2_000,
    help: "Time between two attempts to acquire or renew the Lease.",
  }),
  "leader-elect-resource-lock": flag("Generic", text, {
    initial: "leases",
    help: "Type of the lock object; only leases is supported.",
  }),
  "leader-elect-resource-name": flag("Generic", text, {
    initial: "cloud-controller-manager",
    help: "Name of the Lease.",
  }),
  "leader-elect-resource-namespace": flag("Generic", text, {
    initial: "kube-system",
    help: "Namespace of the Lease.",
  }),
  "cloud-provider": flag("Generic", text, {
    initial: "",
    help: "The cloud provider: a built-in name, the NAME of a package or an executable cloudwright-provider-NAME, or a path. Required, unless --cloud-provider-socket is given.",
  }),
  "cloud-config": flag("Generic", text, {
    initial: "",
    help: "The provider's configuration file; empty means none.",
  }),
  "external-cloud-volume-plugin": flag("Generic", text, {
    initial: "",
    help: "Left over from kube-controller-manager.",
    idle: IDLE.deprecated,
  }),
  "use-service-account-credentials": flag("Generic", bool, {
    initial: false,
    help: "Let each controller write with its own service account in kube-system, created on demand.",
  }),
  "allow-untagged-cloud": flag("Generic", bool, {
    initial: false,
    help: "Run although the provider's configuration names no cluster.",
  }),
  "cluster-name": flag("Generic", text, {
    initial: "kubernetes",
    help: "Name of the cluster, as the dashboard shows it; with the default, part of the cluster's UID is shown instead.",
  }),
  "node-sync-period": flag("Generic", duration, {
    initial: 0,
    help: "Deprecated.",
    idle: IDLE.deprecated,
  }),
  "feature-gates": flag("Generic", gates, {
    initial: {},
    help: "Upstream's feature gates; they are listed below with their effect here.",
  }),
  "cidr-allocator-type": flag("Node IPAM controller", oneOf(ALLOCATORS), {
    initial: "RangeAllocator",
    help: "Where pod ranges come from. Only RangeAllocator is supported; the others are refused.",
  }),
};
