import { inOtherWords, JSON_PATCH, MERGE, patch, put, STRATEGIC, stepsOf } from "../comparison.ts";

const NODES = "/api/v1/nodes";
const NODE = `${NODES}/n1`;

/** How a node is patched and replaced. */
export const NODE_CHANGES = stepsOf({
  "merges spec and writes the provider ID": patch(NODE, MERGE, {
    spec: { providerID: "a://b", unschedulable: false },
  }),
  "refuses to change the provider ID": patch(NODE, MERGE, { spec: { providerID: "a://c" } }),
  "refuses to change the pod CIDR": patch(NODE, MERGE, { spec: { podCIDR: "10.0.1.0/24" } }),
  "refuses to change the uid": patch(NODE, MERGE, { metadata: { uid: "x" } }),
  "refuses an old resourceVersion in a patch": patch(NODE, MERGE, {
    metadata: { resourceVersion: "1" },
  }),
  "refuses another name in a patch": patch(NODE, MERGE, { metadata: { name: "n9" } }),
  "refuses a label that is no text": inOtherWords(
    patch(NODE, MERGE, { metadata: { labels: { q: 1 } } }),
  ),
  "refuses a merge patch that is a list": patch(NODE, MERGE, [1]),
  "refuses a merge patch that is no JSON": inOtherWords(patch(NODE, MERGE, "{")),
  "finds nothing to patch": patch(`${NODES}/nope`, MERGE, {}),
  "keeps its own metadata whatever a patch says": patch(NODE, MERGE, {
    metadata: { creationTimestamp: "2020-01-01T00:00:00Z", labels: { q: null, r: "s" } },
  }),
  "refuses a failing test of a JSON patch": patch(NODE, JSON_PATCH, [
    { op: "test", path: "/metadata/name", value: "zz" },
  ]),
  "refuses to remove what is not there": patch(NODE, JSON_PATCH, [
    { op: "remove", path: "/metadata/nix" },
  ]),
  "refuses to replace below what is not there": patch(NODE, JSON_PATCH, [
    { op: "replace", path: "/spec/nix/a", value: 1 },
  ]),
  "refuses an index past the end": patch(NODE, JSON_PATCH, [
    { op: "add", path: "/spec/taints/9", value: 1 },
  ]),
  "refuses a JSON patch that is no list": patch(NODE, JSON_PATCH, { op: "add" }),
  "refuses an operation that is none": patch(NODE, JSON_PATCH, [{ op: "foo", path: "/a" }]),
  "applies the operations of a JSON patch in order": patch(NODE, JSON_PATCH, [
    { op: "test", path: "/metadata/name", value: "n1" },
    { op: "add", path: "/metadata/labels/x~1y", value: "1" },
    { op: "copy", from: "/metadata/labels/r", path: "/metadata/labels/copied" },
    { op: "move", from: "/metadata/labels/r", path: "/metadata/labels/moved" },
    { op: "replace", path: "/spec/taints/0/value", value: "v" },
    { op: "add", path: "/spec/taints/-", value: { key: "last", effect: "NoExecute" } },
  ]),
  "replaces taints whole and ignores status on the main resource": patch(NODE, STRATEGIC, {
    status: { conditions: [{ type: "Ready", status: "Foo" }] },
    spec: { taints: [{ key: "only", effect: "NoExecute" }] },
  }),
  "refuses an address twice": patch(`${NODE}/status`, STRATEGIC, {
    status: {
      addresses: [
        { type: "InternalIP", address: "1.1.1.1" },
        { type: "InternalIP", address: "1.1.1.1" },
      ],
    },
  }),
  "takes a new list of addresses as it comes": patch(`${NODE}/status`, STRATEGIC, {
    status: {
      addresses: [
        { type: "InternalIP", address: "1.1.1.1" },
        { type: "InternalIP", address: "1.1.1.2" },
      ],
    },
    spec: { unschedulable: true },
  }),
  "merges conditions by type": patch(`${NODE}/status`, STRATEGIC, {
    status: {
      conditions: [
        { type: "Ready", status: "False" },
        { type: "X", status: "True" },
      ],
    },
  }),
  "orders and removes conditions as directed": patch(`${NODE}/status`, STRATEGIC, {
    status: {
      $setElementOrder: undefined,
      "$setElementOrder/conditions": [{ type: "Y" }, { type: "Ready" }],
      conditions: [
        { type: "Y", status: "True" },
        { $patch: "delete", type: "X" },
      ],
    },
  }),
  "merges addresses by type, which upstream warns of": patch(`${NODE}/status`, STRATEGIC, {
    status: { addresses: [{ type: "ExternalIP", address: "2.2.2.2" }] },
  }),
  "replaces addresses when asked to": patch(`${NODE}/status`, STRATEGIC, {
    status: { addresses: [{ $patch: "replace" }, { type: "Hostname", address: "n1" }] },
  }),
  "replaces a status by JSON patch": patch(`${NODE}/status`, JSON_PATCH, [
    {
      op: "replace",
      path: "/status/addresses",
      value: [{ type: "InternalIP", address: "3.3.3.3" }],
    },
  ]),
  "lets a status patch change labels": patch(`${NODE}/status`, MERGE, {
    metadata: { labels: { fromStatus: "yes" } },
  }),
  "replaces a node and keeps its status": put(NODE, {
    metadata: { name: "n1" },
    spec: { providerID: "a://b", podCIDR: "10.0.0.0/24" },
    status: { phase: "x" },
  }),
  "refuses another uid in a PUT": inOtherWords(put(NODE, { metadata: { name: "n1", uid: "zz" } })),
  "refuses a PUT without a name": put(NODE, { metadata: {} }),
  "refuses a PUT of another name": put(NODE, { metadata: { name: "n4" } }),
  "refuses a PUT of a node that is not there": put(`${NODES}/n9`, { metadata: { name: "n9" } }),
  "refuses an old resourceVersion in a PUT": put(NODE, {
    metadata: { name: "n1", resourceVersion: "1" },
  }),
});
