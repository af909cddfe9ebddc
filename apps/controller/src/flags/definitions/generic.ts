import { flag, IDLE } from "../flag.ts";
import { bool, duration, float, gates, int, list, oneOf, text } from "../kinds.ts";

/** Those that upstream has ever had. */
const ALLOCATORS = [
  "RangeAllocator",
  "CloudAllocator",
  "IPAMFromCluster",
  "IPAMFromCloud",
] as const;

export const GENERIC_FLAGS = {
  "min-resync-period": flag("Generic", duration, {
    initial: 43_200_000,
    help: "Least time between two replays of a cache.",
    idle: "each controller looks again by its own period",
  }),
  "kube-api-content-type": flag("Generic", text, {
    initial: "application/vnd.kubernetes.protobuf",
    help: "Encoding of requests to the API server.",
    idle: "requests are JSON",
  }),
  "kube-api-qps": flag("Generic", float, {
    initial: 500,
    help: "Requests a second to the API server; 0 or less is no limit.",
  }),
  "kube-api-burst": flag("Generic", int(), {
    initial: 1_000,
    help: "Requests to the API server that may come at once.",
  }),
  "controller-start-interval": flag("Generic", duration, {
    initial: 0,
    help: "Pause between the starts of two controllers.",
  }),
  controllers: flag("Generic", list, {
    initial: ["*"],
    help: "Controllers to run: * is all that are on by default, NAME turns one on, -NAME off.",
  }),
  "leader-elect": flag("Generic", bool, {
    initial: true,
    help: "Work only while holding the Lease, so that replicas do not collide.",
  }),
  "leader-elect-lease-duration": flag("Generic", duration, {
    initial: 15_000,
    help: "How long others wait for a leader that is silent.",
  }),
  "leader-elect-renew-deadline": flag("Generic", duration, {
    initial: 10_000,
    help: "How long the leader tries to renew before it gives up.",
  }),
  "leader-elect-retry-period": flag("Generic", duration, {
    initial: 2_000,
    help: "Time between two tries to get or renew the Lease.",
  }),
  "leader-elect-resource-lock": flag("Generic", text, {
    initial: "leases",
    help: "Kind of the lock; only leases.",
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
    help: "The cloud: a built-in name, a package cloudwright-provider-NAME, or a path. Required.",
  }),
  "cloud-config": flag("Generic", text, {
    initial: "",
    help: "The provider's configuration file; empty is none.",
  }),
  "external-cloud-volume-plugin": flag("Generic", text, {
    initial: "",
    help: "Legacy of kube-controller-manager.",
    idle: IDLE.deprecated,
  }),
  "use-service-account-credentials": flag("Generic", bool, {
    initial: false,
    help: "Let each controller write as a service account of its own in kube-system, made on demand.",
  }),
  "allow-untagged-cloud": flag("Generic", bool, {
    initial: false,
    help: "Run although the provider's configuration names no cluster.",
  }),
  "cluster-name": flag("Generic", text, {
    initial: "kubernetes",
    help: "Name of the cluster, shown on pages; the default shows a part of its UID instead.",
  }),
  "node-sync-period": flag("Generic", duration, {
    initial: 0,
    help: "Deprecated.",
    idle: IDLE.deprecated,
  }),
  "feature-gates": flag("Generic", gates, {
    initial: {},
    help: "Upstream's feature gates; listed below with what they change here.",
  }),
  "cidr-allocator-type": flag("Node IPAM controller", oneOf(ALLOCATORS), {
    initial: "RangeAllocator",
    help: "Where pod ranges come from; RangeAllocator alone gives any, the others are refused.",
  }),
};
