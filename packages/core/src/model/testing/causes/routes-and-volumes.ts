import type { WordedCause } from "./worded-cause.ts";

/** Causes about routes, pod ranges and volumes. */
export const CAUSES_OF_ROUTES_AND_VOLUMES: readonly WordedCause[] = [
  [{ code: "RouteInStep", routes: 1 }, "Its route is in sync"],
  [{ code: "RouteInStep", routes: 2 }, "Its 2 routes are in sync"],
  [
    { code: "RouteMissing", cidr: "10.120.0.0/24" },
    "There is no route to its pod range 10.120.0.0/24",
  ],
  [
    {
      code: "RouteWithoutMachine",
      provider: "sandbox",
      providerID: "sandbox://i-9",
      requestId: "r-9",
    },
    "It has no route because its machine sandbox://i-9 does not exist in sandbox (request r-9)",
  ],
  [
    { code: "RouteStale", destination: "10.120.0.0/24", why: "nodeGone" },
    "The route to 10.120.0.0/24 belongs to a node that is gone",
  ],
  [
    {
      code: "RouteForeign",
      provider: "sandbox",
      cidr: "10.120.0.0/24",
      id: "r-1",
      owner: "the cluster blue",
    },
    "The route r-1 in sandbox already leads to 10.120.0.0/24 and belongs to the cluster blue",
  ],
  [
    {
      code: "RouteUnowned",
      provider: "sandbox",
      cidr: "10.0.1.0/24",
      id: "r-1",
      proofs: ["range"],
    },
    "The route r-1 to 10.0.1.0/24 in sandbox has no owner: it leads to the node's pod range, but not to its machine",
  ],
  [
    {
      code: "RouteUnowned",
      provider: "sandbox",
      cidr: "10.0.1.0/24",
      id: "r-1",
      proofs: ["name"],
    },
    "The route r-1 to 10.0.1.0/24 in sandbox has no owner: it is named by the node's UID, but leads to neither its pod range nor its machine",
  ],
  [
    {
      code: "RouteUnowned",
      provider: "sandbox",
      cidr: "10.0.1.0/24",
      id: "r-1",
      proofs: ["range", "machine"],
    },
    "The route r-1 to 10.0.1.0/24 in sandbox has no owner: it leads to the node's pod range and leads to the node's machine, and --adopt=report leaves it as it is",
  ],
  [
    {
      code: "RouteTableFull",
      provider: "sandbox",
      cidr: "10.120.0.0/24",
      message: "1,000 of 1,000 are used",
      requestId: "q-7",
    },
    "Sandbox has no room for a route to 10.120.0.0/24: 1,000 of 1,000 are used (request q-7)",
  ],
  [
    { code: "RouteTableSeen", used: 50, capacity: 1_000, foreign: 3 },
    "It holds 50 of at most 1000 routes, 3 of them not ours",
  ],
  [
    { code: "RouteDeletionsUnconfirmed", routes: 40, of: 50 },
    "40 of our 50 routes look stale at once, and one listing alone is not enough to delete them",
  ],
  [
    { code: "NetworkConditionDiffers", has: "True", wanted: "False" },
    "Its condition NetworkUnavailable is True, and should be False",
  ],
  [{ code: "NodeAddressesMissing" }, "The node has no address yet that a route could lead to"],
  [
    { code: "PodCIDROverlap", cidr: "10.120.1.0/24", other: "w-2", otherCIDR: "10.120.0.0/23" },
    "Its pod range 10.120.1.0/24 overlaps 10.120.0.0/23, which belongs to the older node w-2",
  ],
  [{ code: "PodCIDRsMissing" }, "It has no pod range"],
  [
    { code: "PodCIDRsInStep", cidrs: ["10.120.0.0/24", "fd00:120::/64"] },
    "It has the pod ranges 10.120.0.0/24, fd00:120::/64",
  ],
  [
    { code: "PodCIDRInvalid", cidr: "10.120.0/24", problem: "it is no CIDR" },
    "Its pod range 10.120.0/24 is not usable: it is no CIDR",
  ],
  [
    { code: "PodCIDRDuplicate", cidr: "10.120.0.0/24", other: "w-2" },
    "Node w-2 has the same pod range 10.120.0.0/24",
  ],
  [
    { code: "PodCIDROutside", cidr: "10.1.0.0/24", ranges: ["10.120.0.0/16"] },
    "Its pod range 10.1.0.0/24 is not within 10.120.0.0/16",
  ],
  [
    { code: "PodCIDRsExhausted", range: "10.120.0.0/22", capacity: 4 },
    "All 4 pod ranges of 10.120.0.0/22 are assigned to nodes or kept out of use",
  ],
  [{ code: "VolumeInStep", id: "vol-1" }, "It states where its disk vol-1 is"],
  [
    { code: "VolumeLabelsDiffer", labels: ["topology.kubernetes.io/zone"] },
    "It does not state where its disk is: topology.kubernetes.io/zone",
  ],
  [
    { code: "VolumeNotFound", provider: "sandbox", id: "vol-1", requestId: "q-7" },
    "Sandbox has no disk vol-1 (request q-7)",
  ],
  [
    { code: "VolumeZoneInvalid", id: "vol-1", value: "z1__", problem: "a zone in it is empty" },
    "The zone z1__ of its disk vol-1 is not usable: a zone in it is empty",
  ],
  [
    { code: "VolumeAffinityConflict", has: "z1", wanted: "z9" },
    "Its node affinity says z1 and its disk is in z9, and the affinity of a volume cannot be changed",
  ],
  [
    { code: "VolumeTooSmall", id: "vol-1", hasGiB: 10, wantedGiB: 20 },
    "Its claim asks for 20 GiB and its disk vol-1 has 10 GiB",
  ],
  [
    { code: "ClaimNotExpandable", claim: "shop/data", problem: "its class does not allow it" },
    "The claim shop/data asks for more, and its class does not allow it",
  ],
  [
    { code: "RouteMissing", cidr: "10.244.1.0/24" },
    "There is no route to its pod range 10.244.1.0/24",
  ],
  [
    { code: "RouteStale", destination: "10.244.1.0/24", why: "blackhole" },
    "The route to 10.244.1.0/24 leads to a machine that is gone",
  ],
  [
    {
      code: "RouteForeign",
      provider: "sandbox",
      cidr: "10.244.1.0/24",
      id: "rt-1",
      owner: "another cluster",
    },
    "The route rt-1 in sandbox already leads to 10.244.1.0/24 and belongs to another cluster",
  ],
  [
    { code: "RouteTableFull", provider: "sandbox", cidr: "10.244.1.0/24", message: "50 of 50" },
    "Sandbox has no room for a route to 10.244.1.0/24: 50 of 50",
  ],
  [
    { code: "RouteTableSeen", used: 7, capacity: 50, foreign: 2 },
    "It holds 7 of at most 50 routes, 2 of them not ours",
  ],
  [
    { code: "RouteDeletionsUnconfirmed", routes: 9, of: 20 },
    "9 of our 20 routes look stale at once, and one listing alone is not enough to delete them",
  ],
  [
    { code: "NetworkConditionDiffers", has: "missing", wanted: "False/RouteCreated" },
    "Its condition NetworkUnavailable is missing, and should be False/RouteCreated",
  ],
  [{ code: "PodCIDRsInStep", cidrs: ["10.244.1.0/24"] }, "It has the pod range 10.244.1.0/24"],
  [
    { code: "PodCIDRsInStep", cidrs: ["10.244.1.0/24", "fd00::/64"] },
    "It has the pod ranges 10.244.1.0/24, fd00::/64",
  ],
  [
    { code: "PodCIDRsFixed", cidrs: ["10.244.1.0/24"] },
    "It has 10.244.1.0/24 already, and the pod ranges of a node cannot be changed",
  ],
  [{ code: "NodeLeaving" }, "It is being deleted"],
  [
    { code: "PodCIDRInvalid", cidr: "pods", problem: "it is no CIDR" },
    "Its pod range pods is not usable: it is no CIDR",
  ],
  [
    { code: "PodCIDRDuplicate", cidr: "10.244.1.0/24", other: "w-2" },
    "Node w-2 has the same pod range 10.244.1.0/24",
  ],
  [
    { code: "PodCIDROutside", cidr: "10.0.0.0/24", ranges: ["10.244.0.0/16"] },
    "Its pod range 10.0.0.0/24 is not within 10.244.0.0/16",
  ],
  [
    { code: "PodCIDRsExhausted", range: "10.244.0.0/22", capacity: 4 },
    "All 4 pod ranges of 10.244.0.0/22 are assigned to nodes or kept out of use",
  ],
  [
    { code: "VolumeNotFound", provider: "sandbox", id: "vol-1", requestId: "req-1" },
    "Sandbox has no disk vol-1 (request req-1)",
  ],
  [
    { code: "VolumeZoneInvalid", id: "vol-1", value: "a b", problem: "it has a space" },
    "The zone a b of its disk vol-1 is not usable: it has a space",
  ],
  [
    { code: "VolumeAffinityConflict", has: "z1", wanted: "z2" },
    "Its node affinity says z1 and its disk is in z2, and the affinity of a volume cannot be changed",
  ],
  [
    { code: "VolumeNotFound", provider: "sandbox", id: "vol-9", requestId: "r-9" },
    "Sandbox has no disk vol-9 (request r-9)",
  ],
  [
    { code: "VolumeZoneInvalid", id: "vol-1", value: "z1__", problem: "one of its zones is empty" },
    "The zone z1__ of its disk vol-1 is not usable: one of its zones is empty",
  ],
  [{ code: "VolumeNotOurs", why: "source" }, "It is not a disk of this cloud"],
  [{ code: "VolumeNotOurs", why: "placeholder" }, "It was created before its disk"],
  [{ code: "VolumeWithoutTopology", id: "vol-1" }, "Its disk vol-1 is in no zone and no region"],
  [
    { code: "VolumeAffinityKept", wanted: "z1, r1" },
    "Its node affinity does not mention z1, r1, where its disk is, and the affinity of a volume cannot be changed",
  ],
  [
    { code: "VolumeFileSystemPending", id: "vol-1", sizeGiB: 3 },
    "Its disk vol-1 has 3 GiB, and its file system grows when a pod uses it",
  ],
  [
    { code: "VolumeTooSmall", id: "vol-1", hasGiB: 1, wantedGiB: 3 },
    "Its claim asks for 3 GiB and its disk vol-1 has 1 GiB",
  ],
  [
    { code: "ClaimNotExpandable", claim: "shop/data", problem: "it names no storage class" },
    "The claim shop/data asks for more, and it names no storage class",
  ],
];
