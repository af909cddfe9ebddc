import { describe, expect, it } from "vitest";
import { type Reason, reasonSchema } from "./reason.ts";
import { advice, cause, eventMessage, sentence } from "./sentence.ts";
import type { State } from "./state.ts";

const NOW = Date.UTC(2026, 10, 21, 3, 0, 0);
const NODE = { kind: "Node", name: "w-9" } as const;
const LIST = "GET /v1/instances";
const LONG = "words that others wrote and that go on and on, ".repeat(30);
const failure = { provider: "sandbox", operation: LIST, message: "disk full" };
const refusal = { verb: "patch", resource: "nodes/status", message: "no such right" };

/** Every reason, as an operator would read it; in both forms where a part of it may be unknown. */
const CAUSES: readonly [Reason, string][] = [
  [
    { code: "InstanceNotFound", provider: "sandbox", by: "name", value: "w-9", requestId: "r-1" },
    "No instance in sandbox is named w-9 (request r-1)",
  ],
  [
    { code: "InstanceNotFound", provider: "sandbox", by: "providerID", value: "sandbox://i-1" },
    "No instance in sandbox has the provider ID sandbox://i-1",
  ],
  [
    { code: "InstanceUnclaimed", provider: "sandbox" },
    "Sandbox gave no data for it and does not claim it as its own",
  ],
  [
    { code: "ProviderThrottled", provider: "sandbox", operation: LIST, retryAfterMs: 3_000 },
    "Sandbox allows no more calls for now (429 on GET /v1/instances, retry after 3 s)",
  ],
  [
    { code: "ProviderThrottled", provider: "sandbox", operation: LIST, requestId: "r-4" },
    "Sandbox allows no more calls for now (429 on GET /v1/instances, request r-4)",
  ],
  [
    { code: "ProviderUnauthorized", ...failure, status: 401, requestId: "r-2" },
    "Sandbox refused our credentials on GET /v1/instances (status 401, request r-2)",
  ],
  [
    { code: "ProviderUnavailable", ...failure, status: 500 },
    "Sandbox failed on GET /v1/instances: disk full (status 500)",
  ],
  [
    { code: "ProviderUnavailable", ...failure, message: "no answer came:\n  connection refused." },
    "Sandbox failed on GET /v1/instances: no answer came: connection refused",
  ],
  [
    { code: "ProviderTimedOut", provider: "sandbox", operation: LIST, afterMs: 10_000 },
    "Sandbox gave no answer to GET /v1/instances within 10 s",
  ],
  [
    { code: "ProviderTimedOut", provider: "sandbox", operation: LIST, afterMs: 0 },
    "Sandbox gave no answer to GET /v1/instances in time",
  ],
  [
    { code: "ProviderQuotaExceeded", ...failure, status: 409 },
    "A quota of sandbox is used up: disk full (status 409)",
  ],
  [
    { code: "ProviderRefused", ...failure, requestId: "r-5" },
    "Sandbox refused GET /v1/instances: disk full (request r-5)",
  ],
  [
    { code: "ProviderUnsupported", provider: "sandbox", operation: "routes" },
    "Sandbox does not offer routes",
  ],
  [
    { code: "CloudListsNothing", provider: "sandbox", nodes: 12 },
    "Sandbox lists no instance at all while 12 nodes say they run there",
  ],
  [
    { code: "ProviderIDMissing", provider: "sandbox" },
    "Sandbox gives this instance no provider ID",
  ],
  [
    { code: "ProviderIDMalformed", providerID: "i-1", expected: "sandbox://<id>" },
    "The provider ID i-1 does not have the form sandbox://<id>",
  ],
  [
    { code: "ProviderIDDuplicate", providerID: "sandbox://i-1", other: "w-8" },
    "Node w-8 has the same provider ID sandbox://i-1",
  ],
  [
    { code: "ForeignNode", providerID: "aws:///i-1", provider: "sandbox" },
    "Its provider ID aws:///i-1 belongs to another cloud than sandbox",
  ],
  [
    { code: "ProvidedNodeIPInvalid", annotation: "10.0.0.300", problem: "not an IP address" },
    'The annotation alpha.kubernetes.io/provided-node-ip is "10.0.0.300": not an IP address',
  ],
  [
    { code: "ProvidedNodeIPUnknown", wanted: "10.9.9.9", cloudHas: [] },
    "The kubelet's node IP 10.9.9.9 is not among the addresses that the cloud knows (none)",
  ],
  [
    { code: "ProvidedNodeIPUnknown", wanted: "10.9.9.9", cloudHas: ["a", "b", "c", "d", "e", "f"] },
    "The kubelet's node IP 10.9.9.9 is not among the addresses that the cloud knows (a, b, c, d and 2 more)",
  ],
  [{ code: "AddressesMissing", provider: "sandbox" }, "Sandbox lists no address for this instance"],
  [
    { code: "AddressDuplicate", type: "InternalIP", address: "10.0.0.1" },
    "The cloud lists the address InternalIP 10.0.0.1 twice",
  ],
  [
    { code: "LabelInvalid", key: "example.org/rack", value: "a b", problem: "it has a blank" },
    'The cloud\'s value "a b" cannot be the label example.org/rack: it has a blank',
  ],
  [
    { code: "LabelInvalid", key: "rack", value: "x".repeat(900), problem: "it is too long" },
    `The cloud's value "${"x".repeat(63)}…" cannot be the label rack: it is too long`,
  ],
  [
    { code: "TaintOfOthers", taints: ["node.cluster.x-k8s.io/uninitialized"] },
    "The taints left are not ours to remove: node.cluster.x-k8s.io/uninitialized",
  ],
  [
    { code: "KubeForbidden", ...refusal },
    "The Kubernetes API forbids us to patch nodes/status: no such right",
  ],
  [
    { code: "KubeConflict", ...refusal },
    "Another client changed the object at the same time (patch nodes/status)",
  ],
  [
    { code: "KubeRefused", ...refusal },
    "The Kubernetes API refused to patch nodes/status: no such right",
  ],
  [
    { code: "KubeUnavailable", ...refusal },
    "The Kubernetes API failed to patch nodes/status: no such right",
  ],
  [
    { code: "KubeThrottled", ...refusal },
    "The Kubernetes API allows no more calls for now (patch nodes/status)",
  ],
  [
    { code: "NewNodeGrace", untilMs: NOW },
    "The cloud does not list this new node yet, and new nodes are given time",
  ],
  [
    { code: "InstanceAbsentOnce", provider: "sandbox", providerID: "sandbox://i-1" },
    "Sandbox says that sandbox://i-1 does not exist, and we look once more before we delete",
  ],
  [
    { code: "InstanceGone", provider: "sandbox", providerID: "sandbox://i-1", requestId: "r-3" },
    "Sandbox said twice that sandbox://i-1 does not exist (request r-3)",
  ],
  [
    { code: "InstanceStopped", provider: "sandbox", state: "stopped" },
    "Its instance is stopped in sandbox",
  ],
  [
    { code: "InstanceStopped", provider: "sandbox", state: "pending" },
    "Its instance is being started in sandbox",
  ],
  [{ code: "InstanceRunning", provider: "sandbox" }, "Its instance runs again in sandbox"],
  [{ code: "NodeReady" }, "The node is Ready"],
  [
    { code: "NodeUnreadyInstanceRuns", provider: "sandbox" },
    "Its kubelet is not Ready although its instance runs in sandbox",
  ],
  [{ code: "Initialised" }, "It was initialised from the cloud's facts"],
  [{ code: "InStep" }, "It agrees with the cloud"],
  [{ code: "FactsChanged", fields: ["addresses"] }, "The cloud's facts changed: addresses"],
  [{ code: "Uninitialised" }, "It waits to be initialised"],
  [{ code: "ObjectGone" }, "It is no longer in the cluster"],
  [
    { code: "HeldByAnnotation", by: "ana", why: "disk check." },
    "Nothing is written to it, as ana asked: disk check",
  ],
  [
    { code: "HeldByAnnotation", by: "ana", why: "disk check", untilMs: NOW },
    "Nothing is written to it until 2026-11-21 03:00 UTC, as ana asked: disk check",
  ],
  [
    { code: "HeldByAnnotation" },
    "Nothing is written to it, as its annotation cloudwright.io/hold asks",
  ],
  [
    {
      code: "ServiceInvalid",
      field: "spec.loadBalancerSourceRanges",
      value: "10.0.0.1",
      problem: "it is no CIDR",
    },
    'Its spec.loadBalancerSourceRanges "10.0.0.1" cannot be used: it is no CIDR',
  ],
  [
    {
      code: "ServiceUnsupported",
      provider: "sandbox",
      field: "protocol",
      problem: "SCTP is not offered",
    },
    "Sandbox cannot serve its protocol: SCTP is not offered",
  ],
  [{ code: "ServiceUnwanted", why: "deleted" }, "It is being deleted"],
  [{ code: "ServiceUnwanted", why: "type" }, "It is not of type LoadBalancer any more"],
  [{ code: "ServiceUnwanted", why: "class" }, "Its load balancer class is another controller's"],
  [
    { code: "ServedElsewhere", provider: "sandbox" },
    "Sandbox leaves this Service to another controller",
  ],
  [
    { code: "FinalizerMissing" },
    "The finalizer that keeps it until its balancer is gone is not there",
  ],
  [{ code: "BalancerMissing", provider: "sandbox" }, "Sandbox has no load balancer for it"],
  [
    { code: "BalancerDiffers", aspects: ["listener 443/TCP", "health check"] },
    "Its load balancer is not as it should be: listener 443/TCP, health check",
  ],
  [
    { code: "BalancerReensured", by: "ana", why: "INC-9" },
    "Ana asked to write all of its load balancer again: INC-9",
  ],
  [
    { code: "MembersDiffer", added: ["w-1", "w-2"], removed: ["w-9"] },
    "The nodes behind its load balancer changed (new: w-1, w-2; gone: w-9)",
  ],
  [
    { code: "MembersDiffer", added: ["w-1"], removed: [] },
    "The nodes behind its load balancer changed (new: w-1)",
  ],
  [
    { code: "BalancerProvisioning", provider: "sandbox", id: "lb-1", what: "provisioning" },
    "Sandbox is at work on lb-1: provisioning",
  ],
  [
    { code: "BalancerInStep", members: 3, address: "203.0.113.7" },
    "Its load balancer 203.0.113.7 is as it should be, with 3 nodes",
  ],
  [{ code: "BalancerInStep", members: 1 }, "Its load balancer is as it should be, with 1 node"],
  [{ code: "BalancerWithoutMembers" }, "No node is available for its load balancer"],
  [
    { code: "BalancerMemberRefused", node: "w-3", message: "no such instance", others: 2 },
    "The cloud refuses node w-3 behind its load balancer and 2 more: no such instance",
  ],
  [
    { code: "BalancerAddressMissing", provider: "sandbox" },
    "Sandbox gives its load balancer no address",
  ],
  [
    { code: "BalancerAddressChanged", from: "203.0.113.7", to: "lb.example" },
    "Its load balancer moved from 203.0.113.7 to lb.example",
  ],
  [
    { code: "BalancerAddressChanged", from: "", to: "203.0.113.7" },
    "Its load balancer has the address 203.0.113.7",
  ],
  [
    { code: "BalancerForeign", provider: "sandbox", id: "lb-1", owner: "cluster c-2" },
    "The load balancer lb-1 in sandbox belongs to cluster c-2",
  ],
  [
    { code: "BalancerUnowned", provider: "sandbox", id: "lb-1", name: "a12" },
    "Sandbox has a load balancer lb-1 named a12 that carries nobody's mark",
  ],
  [
    { code: "BalancerBroken", provider: "sandbox", id: "lb-1", message: "no capacity" },
    "Sandbox calls the load balancer lb-1 broken: no capacity",
  ],
  [
    { code: "BalancerOrphaned", provider: "sandbox", id: "lb-1", service: "shop/web" },
    "The load balancer lb-1 in sandbox is ours, but its Service shop/web is not in the cluster",
  ],
  [{ code: "PersonAsked", by: "ana", why: "INC-88", intentId: "i-1" }, "Ana asked for it: INC-88"],
  [
    { code: "HoldExpired", by: "ana", untilMs: NOW },
    "The hold by ana was set to end at 2026-11-21 03:00 UTC",
  ],
  [
    { code: "FreedUnfinished", by: "ana", untilMs: NOW, why: "INC-88" },
    "Ana freed it before it was initialised, until 2026-11-21 03:00 UTC: INC-88",
  ],
  [
    { code: "OverrideExpired", by: "ana", untilMs: NOW },
    "It was freed by ana until 2026-11-21 03:00 UTC and is still not initialised",
  ],
  [{ code: "RouteInStep", routes: 1 }, "Its route is in step"],
  [{ code: "RouteInStep", routes: 2 }, "Its 2 routes are in step"],
  [
    { code: "RouteMissing", cidr: "10.120.0.0/24" },
    "There is no route to its pod range 10.120.0.0/24",
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
    "40 of our 50 routes look stale at once, and one listing alone is not believed",
  ],
  [
    { code: "NetworkConditionDiffers", has: "True", wanted: "False" },
    "Its condition NetworkUnavailable is True, and should be False",
  ],
  [{ code: "NodeAddressesMissing" }, "The node has no address yet to which a route could lead"],
  [
    { code: "PodCIDROverlap", cidr: "10.120.1.0/24", other: "w-2", otherCIDR: "10.120.0.0/23" },
    "Its pod range 10.120.1.0/24 overlaps 10.120.0.0/23, which is the older node w-2's",
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
    "Its pod range 10.120.0.0/24 is the node w-2's, too",
  ],
  [
    { code: "PodCIDROutside", cidr: "10.1.0.0/24", ranges: ["10.120.0.0/16"] },
    "Its pod range 10.1.0.0/24 is not within 10.120.0.0/16",
  ],
  [
    { code: "PodCIDRsExhausted", range: "10.120.0.0/22", capacity: 4 },
    "All 4 pod ranges of 10.120.0.0/22 are given to nodes, or kept out of use",
  ],
  [{ code: "VolumeInStep", id: "vol-1" }, "It says where its disk vol-1 is"],
  [
    { code: "VolumeLabelsDiffer", labels: ["topology.kubernetes.io/zone"] },
    "It does not say where its disk is: topology.kubernetes.io/zone",
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
  [{ code: "NothingToDo", what: "it is not held" }, "It is not held"],
  [{ code: "WishRefused", problem: "its end is past" }, "Its end is past"],
  [
    { code: "ControllerPaused", by: "ana", untilMs: NOW, why: "migration" },
    "Its controller is paused by ana until 2026-11-21 03:00 UTC: migration",
  ],
  [
    {
      code: "DeletionGuardHeld",
      provider: "sandbox",
      providerID: "sandbox://i-1",
      deleted: 5,
      limit: 5,
      windowMs: 600_000,
      held: 3,
    },
    "Sandbox says that sandbox://i-1 does not exist, but 5 of at most 5 nodes were deleted within 10 min, so the deletion guard holds 3 deletions",
  ],
  [
    { code: "ControlRecordUnavailable", message: "no such right" },
    "The ConfigMap cloudwright-controls cannot be used: no such right",
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
    "9 of our 20 routes look stale at once, and one listing alone is not believed",
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
    "Its pod range 10.244.1.0/24 is the node w-2's, too",
  ],
  [
    { code: "PodCIDROutside", cidr: "10.0.0.0/24", ranges: ["10.244.0.0/16"] },
    "Its pod range 10.0.0.0/24 is not within 10.244.0.0/16",
  ],
  [
    { code: "PodCIDRsExhausted", range: "10.244.0.0/22", capacity: 4 },
    "All 4 pod ranges of 10.244.0.0/22 are given to nodes, or kept out of use",
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
  [{ code: "RunInterrupted" }, "The controller ended during this run"],
  [
    { code: "Unexplained", message: "x is not a function" },
    "Cause unknown; the last error was: x is not a function",
  ],
  [
    { code: "VolumeNotFound", provider: "sandbox", id: "vol-9", requestId: "r-9" },
    "Sandbox has no disk vol-9 (request r-9)",
  ],
  [
    { code: "VolumeZoneInvalid", id: "vol-1", value: "z1__", problem: "one of its zones is empty" },
    "The zone z1__ of its disk vol-1 is not usable: one of its zones is empty",
  ],
  [{ code: "VolumeNotOurs", why: "source" }, "It is no disk of this cloud"],
  [{ code: "VolumeNotOurs", why: "placeholder" }, "Its disk was not made when it was"],
  [{ code: "VolumeWithoutTopology", id: "vol-1" }, "Its disk vol-1 is in no zone and no region"],
  [
    { code: "VolumeAffinityKept", wanted: "z1, r1" },
    "Its node affinity says nothing of z1, r1, where its disk is, and the affinity of a volume cannot be changed",
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

describe("a cause", () => {
  it("is worded for every reason", () => {
    const worded = new Set(CAUSES.map(([reason]) => reason.code));
    const codes = reasonSchema.options.map((option) => option.unwrap().shape.code.value);
    expect(codes.filter((code) => !worded.has(code))).toEqual([]);
  });

  it.each(CAUSES)("of $code is said in one sentence", (reason, wanted) => {
    expect(cause(reason)).toBe(wanted);
  });

  it.each(CAUSES)("of $code and its advice stay plain", (reason) => {
    const text = eventMessage(reason);
    expect(text).not.toMatch(/[!]|please|oops|sorry|undefined|\[object|\.\.|\(\)| {2}/i);
    expect(text).toMatch(/\.$/);
  });

  it.each<[string, Reason]>([
    ["cloud's", { code: "ProviderRefused", ...failure, message: LONG, requestId: "r-6" }],
    ["Kubernetes API's", { code: "KubeRefused", ...refusal, message: LONG }],
    ["person's", { code: "HeldByAnnotation", by: "ana", why: LONG }],
    [
      "kubelet's",
      { code: "ProvidedNodeIPInvalid", annotation: LONG, problem: "not an IP address" },
    ],
  ])("cuts a %s long words, never its evidence", (_whose, reason) => {
    const text = cause(reason);
    expect([...text].length).toBeLessThanOrEqual(200);
    expect(text).toContain("…");
    if (reason.code === "ProviderRefused") expect(text).toMatch(/… \(request r-6\)$/);
    if (reason.code === "ProvidedNodeIPInvalid") expect(text).toMatch(/…": not an IP address$/);
  });

  it("never cuts a letter into halves", () => {
    const message = "😀".repeat(500);
    expect(cause({ code: "Unexplained", message })).not.toMatch(
      /[\ud800-\udbff](?![\udc00-\udfff])/,
    );
    expect(cause({ code: "Unexplained", message: `x${message}` })).not.toMatch(
      /[\ud800-\udbff](?![\udc00-\udfff])/,
    );
  });
});

describe("a diagnosis", () => {
  const reason: Reason = {
    code: "InstanceNotFound",
    provider: "sandbox",
    by: "name",
    value: "w-9",
  };

  it("names thing, state, since, cause, next try and advice in this order", () => {
    const text = sentence({
      object: NODE,
      state: "stuck",
      reason,
      sinceMs: NOW - 14 * 60_000,
      nextAtMs: NOW + 120_000,
      nowMs: NOW,
    });
    expect(text).toBe(
      "Node `w-9` is stuck for 14 min: No instance in sandbox is named w-9. Next try in 2 min. Check that the node's name equals its instance's name, or set its provider ID.",
    );
  });

  it.each<[State, string]>([
    ["unknown", "Node `w-9` could not be looked at for 5 min: Sandbox gave no answer"],
    ["waiting", "Node `w-9` is waiting for 5 min: Sandbox gave no answer"],
    ["working", "Node `w-9` is being worked on for 5 min: Sandbox gave no answer"],
    ["gone", "Node `w-9` is gone: Sandbox gave no answer"],
  ])("says %s in words", (state, start) => {
    const timedOut = { code: "ProviderTimedOut", provider: "sandbox", operation: LIST } as const;
    const text = sentence({
      object: NODE,
      state,
      reason: { ...timedOut, afterMs: 10_000 },
      sinceMs: NOW - 300_000,
      nowMs: NOW,
    });
    expect(text.slice(0, start.length)).toBe(start);
  });

  it("says of a held thing once that it is held", () => {
    const text = sentence({
      object: NODE,
      state: "held",
      reason: { code: "HeldByAnnotation", by: "ana", why: "disk check" },
      sinceMs: NOW - 300_000,
      nowMs: NOW,
    });
    expect(text).toBe(
      "Node `w-9` is held for 5 min: Nothing is written to it, as ana asked: disk check. Release it when the reason is past.",
    );
  });

  it("says that a try is due when its time has come", () => {
    const text = sentence({ object: NODE, state: "working", reason, nextAtMs: NOW, nowMs: NOW });
    expect(text).toContain("The next try is due now.");
  });

  it("tells a healthy thing's state without since and next", () => {
    const text = sentence({
      object: NODE,
      state: "ok",
      reason: { code: "InStep" },
      sinceMs: 0,
      nextAtMs: NOW,
      nowMs: NOW,
    });
    expect(text).toBe("Node `w-9` is OK: It agrees with the cloud.");
  });

  it("has no advice where nothing is to be done", () => {
    expect(advice({ code: "NodeReady" })).toBe("");
    expect(eventMessage({ code: "NodeReady" })).toBe("The node is Ready.");
  });
});
