import type { WordedCause } from "./worded-cause.ts";

const NOW = Date.UTC(2026, 10, 21, 3, 0, 0);

/** Causes about nodes and their machines. */
export const CAUSES_OF_NODES: readonly WordedCause[] = [
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
    "Sandbox returned no data for it and does not claim it as its own",
  ],
  [
    { code: "ProviderIDMissing", provider: "sandbox" },
    "Sandbox reports no provider ID for this instance",
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
    "Its provider ID aws:///i-1 belongs to a cloud other than sandbox",
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
    "The cloud lists the address InternalIP 10.0.0.1 twice; the node has it once",
  ],
  [
    { code: "IdentityLeftAlone", lacksProviderID: true, labels: [] },
    "It has no provider ID; this controller did not set that and leaves it alone",
  ],
  [
    { code: "IdentityLeftAlone", lacksProviderID: false, labels: ["a/b"] },
    "Its label is not what the cloud says (a/b); this controller did not set that and leaves it alone",
  ],
  [
    { code: "IdentityLeftAlone", lacksProviderID: true, labels: ["a/b", "c"] },
    "It has no provider ID and its labels are not what the cloud says (a/b, c); this controller did not set that and leaves it alone",
  ],
  [
    { code: "LabelInvalid", key: "example.org/rack", value: "a b", problem: "it has a blank" },
    'The cloud\'s value "a b" cannot be used for the label example.org/rack: it has a blank',
  ],
  [
    { code: "LabelInvalid", key: "rack", value: "x".repeat(900), problem: "it is too long" },
    `The cloud's value "${"x".repeat(63)}…" cannot be used for the label rack: it is too long`,
  ],
  [
    { code: "TaintOfOthers", taints: ["node.cluster.x-k8s.io/uninitialized"] },
    "The remaining taints are not ours to remove: node.cluster.x-k8s.io/uninitialized",
  ],
  [
    { code: "NewNodeGrace", untilMs: NOW },
    "The cloud does not list this new node yet, and new nodes are given some time",
  ],
  [
    { code: "InstanceAbsentOnce", provider: "sandbox", providerID: "sandbox://i-1" },
    "Sandbox says that sandbox://i-1 does not exist, and we check once more before deleting the node",
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
  [{ code: "InstanceRunning", provider: "sandbox" }, "Its instance is running again in sandbox"],
  [{ code: "NodeReady" }, "The node is Ready"],
  [
    { code: "NodeUnreadyInstanceRuns", provider: "sandbox" },
    "Its kubelet is not Ready, although its instance is running in sandbox",
  ],
  [{ code: "Initialised" }, "It was initialised with what the cloud reports"],
  [{ code: "InStep" }, "It is in sync with the cloud"],
  [
    { code: "FactsChanged", fields: ["addresses"] },
    "What the cloud reports has changed: addresses",
  ],
  [{ code: "Uninitialised" }, "It is waiting to be initialised"],
  [{ code: "ObjectGone" }, "It is no longer in the cluster"],
];
