import { expect, test } from "vitest";
import { FakeInformer, node } from "../../testing/node-fixture.ts";
import { CLUSTER_UID, cloudRoute, type RouteShape } from "../testing/scripted-routes.ts";
import { ClusterNodes } from "./cluster-nodes.ts";
import { ipRangesOf } from "./pod-ranges.ts";
import { type Judged, RouteClassifier, type RouteClassifierOptions } from "./route-classifier.ts";

const ADDRESSES = [
  { type: "InternalIP", address: "10.9.0.1" },
  { type: "Hostname", address: "n1" },
] as const;

type JudgeOptions = Partial<Pick<RouteClassifierOptions, "storesOwner" | "adopt">>;

function judge(
  shape: RouteShape,
  ranges: readonly string[] = ["10.0.0.0/16", "fd00::/48"],
  options: JudgeOptions = {},
): Judged {
  const informer = new FakeInformer(
    node({ name: "n1", providerID: "p://n1", podCIDRs: ["10.0.1.0/24"], addresses: ADDRESSES }),
    node({ name: "n2", providerID: "p://n2", podCIDRs: ["10.0.2.0/24", "fd00:0:0:2::/64"] }),
    node({ name: "new", podCIDRs: ["10.0.3.0/24"] }),
    node({ name: "went", providerID: "p://went", podCIDRs: ["10.0.4.0/24"] }),
    node({ name: "bare", podCIDRs: ["10.0.5.0/24"], addresses: [] }),
  );
  const nodes = new ClusterNodes(informer);
  informer.remove("went");
  const classifier = new RouteClassifier({
    nodes,
    informer,
    clusterUid: CLUSTER_UID,
    provider: "p",
    families: ["IPv4", "IPv6"],
    ranges: ipRangesOf(ranges),
    storesOwner: true,
    adopt: "published",
    ...options,
  });
  return classifier.judge(cloudRoute(shape));
}

const OURS = { ours: "n1" } as const;

test.each<[string, RouteShape, object]>([
  [
    "one with another cluster's mark is foreign, wherever it leads",
    { destination: "10.0.1.0/24", to: "p://n1", mark: "theirs" },
    { kind: "foreign", owner: "the cluster other (cluster-2)" },
  ],
  [
    "one without a mark that leads to no machine of ours is foreign",
    { destination: "10.0.1.0/24", to: "p://else" },
    { kind: "foreign" },
  ],
  [
    "one without a mark that leads nowhere is foreign",
    { destination: "10.0.9.0/24" },
    { kind: "foreign" },
  ],
  [
    "one without a mark to a machine of ours is ours",
    { destination: "10.0.1.0/24", to: "p://n1" },
    { kind: "right", node: "n1" },
  ],
  [
    "one as its node wants it is right",
    { destination: "10.0.1.0/24", to: "p://n1", mark: OURS },
    { kind: "right", node: "n1" },
  ],
  [
    "however the cloud writes the destination",
    { destination: "fd00:0000:0000:0002:0000::/64", to: "p://n2", mark: { ours: "n2" } },
    { kind: "right", node: "n2" },
  ],
  [
    "with host bits, too",
    { destination: "10.0.2.7/24", to: "p://n2", mark: { ours: "n2" } },
    { kind: "right", node: "n2" },
  ],
  [
    "also when it was made for an earlier node on the same machine",
    { destination: "10.0.1.0/24", to: "p://n1", mark: { ours: "earlier" } },
    { kind: "right", node: "n1" },
  ],
  [
    "a node without a provider ID is known by our mark",
    { destination: "10.0.3.0/24", to: "p://some", mark: { ours: "new" } },
    { kind: "right", node: "new" },
  ],
  [
    "a node is known by name where the cloud knows names",
    { destination: "10.0.1.0/24", toName: "n1" },
    { kind: "right", node: "n1" },
  ],
  [
    "one without a mark to the machine of that name is ours while the node has no provider ID",
    { destination: "10.0.3.0/24", to: "p://some", toName: "new" },
    { kind: "right", node: "new" },
  ],
  [
    "one to another node's machine by its name, too, and it is stale",
    { destination: "10.0.1.0/24", to: "p://some", toName: "new" },
    { kind: "stale", why: "otherTarget", key: "n1" },
  ],
  [
    "one to a machine of that name is foreign when the node has another machine",
    { destination: "10.0.1.0/24", to: "p://namesake", toName: "n1" },
    { kind: "foreign" },
  ],
  [
    "so it is when the node that had another machine went",
    { destination: "10.0.4.0/24", to: "p://namesake", toName: "went" },
    { kind: "foreign" },
  ],
  [
    "one to another node's machine is stale, for the node that wants it",
    { destination: "10.0.1.0/24", to: "p://n2", mark: OURS },
    { kind: "stale", why: "otherTarget", key: "n1", isResponsible: true },
  ],
  [
    "one without a target is stale",
    { destination: "10.0.1.0/24", mark: OURS },
    { kind: "stale", why: "otherTarget", key: "n1" },
  ],
  [
    "a blackhole is stale",
    { destination: "10.0.1.0/24", to: "p://n1", mark: OURS, blackhole: true },
    { kind: "stale", why: "blackhole", key: "n1" },
  ],
  [
    "one that its node does not ask for is stale",
    { destination: "10.0.9.0/24", to: "p://n1", mark: OURS },
    { kind: "stale", why: "notAsked", key: "n1", sawItGo: false },
  ],
  [
    "one of a node that went meanwhile is stale, and that is proven",
    { destination: "10.0.4.0/24", to: "p://went" },
    { kind: "stale", why: "nodeGone", key: "went", sawItGo: true },
  ],
  [
    "one of ours that belongs to no node that we know has a key of its own",
    { id: "r-9", destination: "10.0.9.0/24", to: "p://x", mark: { ours: "unknown" } },
    { kind: "stale", why: "nodeGone", key: "route/r-9", sawItGo: false },
  ],
  [
    "one outside the ranges of the pods is not for us to delete",
    { destination: "192.168.0.0/24", to: "p://n1", mark: OURS },
    { kind: "stale", isResponsible: false },
  ],
  [
    "one that compares addresses and has them in another order is right",
    { destination: "10.0.1.0/24", to: "p://n1", mark: OURS, addresses: ADDRESSES.toReversed() },
    { kind: "right", node: "n1" },
  ],
  [
    "one that compares addresses is right while its node has none",
    { destination: "10.0.5.0/24", toName: "bare", mark: { ours: "bare" }, addresses: ADDRESSES },
    { kind: "right", node: "bare" },
  ],
  [
    "one that compares addresses and has others is stale",
    { destination: "10.0.1.0/24", to: "p://n1", mark: OURS, addresses: [ADDRESSES[0]] },
    { kind: "stale", why: "otherAddresses", key: "n1" },
  ],
])("%s", (_what, shape, verdict) => {
  expect(judge(shape)).toMatchObject(verdict);
});

/** See spec/40 §4. */
test.each([
  ["10.244.0.0/24", "10.244.0.0/16", true],
  ["10.244.255.0/24", "10.244.0.0/16", true],
  ["10.224.0.0/24", "10.244.0.0/16", false],
  ["10.247.255.0/24", "10.244.0.0/14", true],
  ["10.248.0.0/24", "10.244.0.0/14", false],
  ["a00:100::/24", "a00:100::/10", true],
  ["b00:100::/24", "a00:100::/10", false],
  ["10.0.0.0/8", "10.244.0.0/16", false],
  ["banana", "10.244.0.0/16", false],
])("a stale route to %s may be deleted by us in %s: %s", (destination, range, isResponsible) => {
  const judged = judge({ destination, to: "p://n1", mark: OURS }, [range]);
  expect(judged).toMatchObject({ kind: "stale", isResponsible });
});

const UID = "00000000-0000-4000-8000-000000000001";

/** Judges a route without a mark beside `n1`, which has a UID like those of the API server. */
function judgeUnmarked(
  shape: RouteShape & { readonly name?: string },
  options: JudgeOptions = {},
): Judged {
  const n1 = node({ name: "n1", providerID: "p://n1", podCIDRs: ["10.0.1.0/24"] });
  const n2 = node({ name: "n2", providerID: "p://n2", podCIDRs: ["10.0.2.0/24"] });
  const informer = new FakeInformer({ ...n1, metadata: { ...n1.metadata, uid: UID } }, n2);
  const classifier = new RouteClassifier({
    nodes: new ClusterNodes(informer),
    informer,
    clusterUid: CLUSTER_UID,
    provider: "p",
    families: ["IPv4", "IPv6"],
    ranges: ipRangesOf(["10.0.0.0/16"]),
    storesOwner: true,
    adopt: "published",
    ...options,
  });
  return classifier.judge({ ...cloudRoute(shape), name: shape.name ?? "by hand" });
}

test.each<
  [
    string,
    RouteShape & { readonly name?: string },
    { readonly published: object; readonly report: object },
  ]
>([
  [
    "range and machine",
    { destination: "10.0.1.0/24", to: "p://n1" },
    {
      published: { kind: "right", node: "n1", ownership: "proofs" },
      report: { kind: "right", node: "n1", ownership: "report" },
    },
  ],
  [
    "the ranges and machines of two nodes",
    { destination: "10.0.1.0/24", to: "p://n2" },
    {
      published: { kind: "stale", why: "otherTarget", key: "n1" },
      report: { kind: "foreign", claim: { proofs: ["range", "machine"], node: "n1" } },
    },
  ],
  [
    "machine and name",
    { destination: "10.0.9.0/24", to: "p://n1", name: `cluster-${UID}` },
    {
      published: { kind: "stale", why: "notAsked", key: "n1" },
      report: { kind: "foreign", claim: { proofs: ["machine", "name"], node: "n1" } },
    },
  ],
  [
    "range and name",
    { destination: "10.0.1.0/24", to: "p://old", name: UID },
    {
      published: { kind: "stale", why: "nodeGone", key: "n1" },
      report: { kind: "foreign", claim: { proofs: ["range", "name"], node: "n1" } },
    },
  ],
  [
    "the range alone",
    { destination: "10.0.1.0/24", to: "p://else" },
    {
      published: { kind: "foreign", claim: { proofs: ["range"], node: "n1" } },
      report: { kind: "foreign", claim: { proofs: ["range"], node: "n1" } },
    },
  ],
  [
    "the machine alone",
    { destination: "10.0.9.0/24", to: "p://n1" },
    {
      published: { kind: "foreign", claim: { proofs: ["machine"], node: "n1" } },
      report: { kind: "foreign", claim: { proofs: ["machine"], node: "n1" } },
    },
  ],
])("one without a mark that has %s", (_case, shape, { published, report }) => {
  expect(judgeUnmarked(shape)).toMatchObject(published);
  expect(judgeUnmarked(shape, { adopt: "report" })).toMatchObject(report);
});

test("one to a machine of ours outside the pods' ranges is a user's own, and not claimed", () => {
  const judged = judgeUnmarked({ destination: "192.168.1.0/24", to: "p://n1" });
  expect(judged.kind === "foreign" && judged.claim).toBeUndefined();
});

test("if routes carry no marks, the machine decides", () => {
  const nameless = { storesOwner: false };
  expect(judgeUnmarked({ destination: "10.0.9.0/24", to: "p://n1" }, nameless)).toMatchObject({
    kind: "stale",
    why: "notAsked",
  });
  expect(judgeUnmarked({ destination: "10.0.1.0/24", to: "p://else" }, nameless).kind).toBe(
    "foreign",
  );
});

test.each<[string, RouteShape, object]>([
  [
    "leads nowhere and has the range of a node is ours, and in its way",
    { destination: "10.0.1.0/24", blackhole: true },
    { kind: "stale", why: "blackhole", key: "n1", isResponsible: true, sawItGo: false },
  ],
  [
    "leads nowhere and has the range of a node that went is left of that one",
    { destination: "10.0.4.0/24", blackhole: true },
    { kind: "stale", why: "blackhole", key: "went", isResponsible: true, sawItGo: true },
  ],
  [
    "leads nowhere and has a range of the pods that no node has is left of one that nobody saw",
    { id: "left", destination: "10.0.9.0/24", blackhole: true },
    {
      ...{ kind: "stale", why: "blackhole", key: "route/left" },
      ...{ isResponsible: true, sawItGo: false },
    },
  ],
  [
    "leads nowhere and lies only partly in the ranges of the pods is foreign",
    { destination: "10.0.0.0/15", blackhole: true },
    { kind: "foreign" },
  ],
  [
    "leads nowhere and lies outside the ranges of the pods is foreign",
    { destination: "192.168.9.0/24", blackhole: true },
    { kind: "foreign" },
  ],
  [
    "leads nowhere and has a part of a node's range is foreign",
    { destination: "10.0.1.128/25", blackhole: true },
    { kind: "foreign" },
  ],
  [
    "leads nowhere and has the ranges of several nodes is foreign",
    { destination: "10.0.0.0/21", blackhole: true },
    { kind: "foreign" },
  ],
  [
    "leads to a machine that is not ours and is gone is foreign, in the ranges of the pods, too",
    { destination: "10.0.9.0/24", toName: "192.0.2.1", blackhole: true },
    { kind: "foreign" },
  ],
  [
    "has no target and a range of the pods that no node has is foreign unless it is a blackhole",
    { destination: "10.0.9.0/24" },
    { kind: "foreign" },
  ],
  [
    "leads to a machine that is not ours and is gone is foreign, whichever range it has",
    { destination: "10.0.4.0/24", toName: "192.0.2.1", blackhole: true },
    { kind: "foreign" },
  ],
  [
    "has no target and is no blackhole is foreign",
    { destination: "10.0.4.0/24" },
    { kind: "foreign" },
  ],
])("if routes carry no marks, a route that %s", (_what, shape, verdict) => {
  expect(judge(shape, ["10.0.0.0/16"], { storesOwner: false })).toMatchObject(verdict);
});

test("if only reports are wanted, a route that leads nowhere and that no node has stays", () => {
  const left = { destination: "10.0.9.0/24", blackhole: true };
  const options = { storesOwner: false, adopt: "report" } as const;
  expect(judge(left, ["10.0.0.0/16"], options)).toMatchObject({ kind: "foreign" });
});
