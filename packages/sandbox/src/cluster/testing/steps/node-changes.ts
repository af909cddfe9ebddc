import { JSON_PATCH, MERGE, patch, put, STRATEGIC, type Step } from "../comparison.ts";

const NODES = "/api/v1/nodes";
const NODE = `${NODES}/n1`;

/** How a node is patched and replaced. */
export const NODE_CHANGES: readonly Step[] = [
  {
    does: "merges spec and writes the provider ID",
    ...patch(NODE, MERGE, { spec: { providerID: "a://b", unschedulable: false } }),
  },
  {
    does: "refuses to change the provider ID",
    ...patch(NODE, MERGE, { spec: { providerID: "a://c" } }),
  },
  {
    does: "refuses to change the pod CIDR",
    ...patch(NODE, MERGE, { spec: { podCIDR: "10.0.1.0/24" } }),
  },
  { does: "refuses to change the uid", ...patch(NODE, MERGE, { metadata: { uid: "x" } }) },
  {
    does: "refuses an old resourceVersion in a patch",
    ...patch(NODE, MERGE, { metadata: { resourceVersion: "1" } }),
  },
  { does: "refuses another name in a patch", ...patch(NODE, MERGE, { metadata: { name: "n9" } }) },
  {
    does: "refuses a label that is no text",
    ...patch(NODE, MERGE, { metadata: { labels: { q: 1 } } }),
    apart: "message",
  },
  { does: "refuses a merge patch that is a list", ...patch(NODE, MERGE, [1]) },
  { does: "refuses a merge patch that is no JSON", ...patch(NODE, MERGE, "{"), apart: "message" },
  { does: "finds nothing to patch", ...patch(`${NODES}/nope`, MERGE, {}) },
  {
    does: "keeps its own metadata whatever a patch says",
    ...patch(NODE, MERGE, {
      metadata: { creationTimestamp: "2020-01-01T00:00:00Z", labels: { q: null, r: "s" } },
    }),
  },
  {
    does: "refuses a failing test of a JSON patch",
    ...patch(NODE, JSON_PATCH, [{ op: "test", path: "/metadata/name", value: "zz" }]),
  },
  {
    does: "refuses to remove what is not there",
    ...patch(NODE, JSON_PATCH, [{ op: "remove", path: "/metadata/nix" }]),
  },
  {
    does: "refuses to replace below what is not there",
    ...patch(NODE, JSON_PATCH, [{ op: "replace", path: "/spec/nix/a", value: 1 }]),
  },
  {
    does: "refuses an index past the end",
    ...patch(NODE, JSON_PATCH, [{ op: "add", path: "/spec/taints/9", value: 1 }]),
  },
  { does: "refuses a JSON patch that is no list", ...patch(NODE, JSON_PATCH, { op: "add" }) },
  {
    does: "refuses an operation that is none",
    ...patch(NODE, JSON_PATCH, [{ op: "foo", path: "/a" }]),
  },
  {
    does: "applies the operations of a JSON patch in order",
    ...patch(NODE, JSON_PATCH, [
      { op: "test", path: "/metadata/name", value: "n1" },
      { op: "add", path: "/metadata/labels/x~1y", value: "1" },
      { op: "copy", from: "/metadata/labels/r", path: "/metadata/labels/copied" },
      { op: "move", from: "/metadata/labels/r", path: "/metadata/labels/moved" },
      { op: "replace", path: "/spec/taints/0/value", value: "v" },
      { op: "add", path: "/spec/taints/-", value: { key: "last", effect: "NoExecute" } },
    ]),
  },
  {
    does: "replaces taints whole and ignores status on the main resource",
    ...patch(NODE, STRATEGIC, {
      status: { conditions: [{ type: "Ready", status: "Foo" }] },
      spec: { taints: [{ key: "only", effect: "NoExecute" }] },
    }),
  },
  {
    does: "refuses an address twice",
    ...patch(`${NODE}/status`, STRATEGIC, {
      status: {
        addresses: [
          { type: "InternalIP", address: "1.1.1.1" },
          { type: "InternalIP", address: "1.1.1.1" },
        ],
      },
    }),
  },
  {
    does: "takes a new list of addresses as it comes",
    ...patch(`${NODE}/status`, STRATEGIC, {
      status: {
        addresses: [
          { type: "InternalIP", address: "1.1.1.1" },
          { type: "InternalIP", address: "1.1.1.2" },
        ],
      },
      spec: { unschedulable: true },
    }),
  },
  {
    does: "merges conditions by type",
    ...patch(`${NODE}/status`, STRATEGIC, {
      status: {
        conditions: [
          { type: "Ready", status: "False" },
          { type: "X", status: "True" },
        ],
      },
    }),
  },
  {
    does: "orders and removes conditions as directed",
    ...patch(`${NODE}/status`, STRATEGIC, {
      status: {
        $setElementOrder: undefined,
        "$setElementOrder/conditions": [{ type: "Y" }, { type: "Ready" }],
        conditions: [
          { type: "Y", status: "True" },
          { $patch: "delete", type: "X" },
        ],
      },
    }),
  },
  {
    does: "merges addresses by type, which upstream warns of",
    ...patch(`${NODE}/status`, STRATEGIC, {
      status: { addresses: [{ type: "ExternalIP", address: "2.2.2.2" }] },
    }),
  },
  {
    does: "replaces addresses when told to",
    ...patch(`${NODE}/status`, STRATEGIC, {
      status: { addresses: [{ $patch: "replace" }, { type: "Hostname", address: "n1" }] },
    }),
  },
  {
    does: "replaces a status by JSON patch",
    ...patch(`${NODE}/status`, JSON_PATCH, [
      {
        op: "replace",
        path: "/status/addresses",
        value: [{ type: "InternalIP", address: "3.3.3.3" }],
      },
    ]),
  },
  {
    does: "lets a status patch change labels",
    ...patch(`${NODE}/status`, MERGE, { metadata: { labels: { fromStatus: "yes" } } }),
  },
  {
    does: "replaces a node and keeps its status",
    ...put(NODE, {
      metadata: { name: "n1" },
      spec: { providerID: "a://b", podCIDR: "10.0.0.0/24" },
      status: { phase: "x" },
    }),
  },
  {
    does: "refuses another uid in a PUT",
    ...put(NODE, { metadata: { name: "n1", uid: "zz" } }),
    apart: "message",
  },
  { does: "refuses a PUT without a name", ...put(NODE, { metadata: {} }) },
  { does: "refuses a PUT of another name", ...put(NODE, { metadata: { name: "n4" } }) },
  {
    does: "refuses a PUT of a node that is not there",
    ...put(`${NODES}/n9`, { metadata: { name: "n9" } }),
  },
  {
    does: "refuses an old resourceVersion in a PUT",
    ...put(NODE, { metadata: { name: "n1", resourceVersion: "1" } }),
  },
];
