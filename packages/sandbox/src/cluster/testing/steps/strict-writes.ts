import { create, JSON_PATCH, MERGE, patch, put, STRATEGIC, type Step } from "../comparison.ts";

const NODES = "/api/v1/nodes";
const EVENTS = "/api/v1/namespaces/default/events";

/** Fields that nobody knows, owners, limits of labels, and writes that seldom come. */
export const STRICT_WRITES: readonly Step[] = [
  {
    does: "creates another node",
    ...create(NODES, { metadata: { name: "m1", annotations: { "X.y/Z": "1" } } }),
  },
  {
    does: "refuses unknown fields in a strict PUT",
    ...put(`${NODES}/m1?fieldValidation=Strict`, { metadata: { name: "m1" }, zap: 1 }),
  },
  {
    does: "refuses unknown fields in a strict merge patch",
    ...patch(`${NODES}/m1?fieldValidation=Strict`, MERGE, { spec: { zap: 1 } }),
    apart: "message",
  },
  {
    does: "refuses unknown fields in a strict strategic patch",
    ...patch(`${NODES}/m1?fieldValidation=Strict`, STRATEGIC, { spec: { zap: 1 } }),
    apart: "message",
  },
  {
    does: "refuses unknown fields in a strict JSON patch",
    ...patch(`${NODES}/m1?fieldValidation=Strict`, JSON_PATCH, [
      { op: "add", path: "/spec/zap", value: 1 },
    ]),
    apart: "message",
  },
  {
    does: "drops unknown fields of a patch otherwise",
    ...patch(`${NODES}/m1`, MERGE, { spec: { zap: 1, unschedulable: true } }),
  },
  {
    does: "replaces a status by PUT and nothing else",
    ...put(`${NODES}/m1/status`, {
      metadata: { name: "m1", labels: { viaStatus: "1" } },
      spec: { unschedulable: false },
      status: {
        addresses: [{ type: "Hostname", address: "h" }],
        nodeInfo: { kubeletVersion: "v1" },
      },
    }),
  },
  { does: "reads a status", method: "GET", path: `${NODES}/m1/status` },
  { does: "has no deletion of a status", method: "DELETE", path: `${NODES}/m1/status` },
  {
    does: "refuses a merge patch by a wrong type deep down",
    ...patch(`${NODES}/m1`, MERGE, { spec: { taints: "none" } }),
    apart: "message",
  },
  {
    does: "refuses a strategic patch by a wrong type deep down",
    ...patch(`${NODES}/m1`, STRATEGIC, { spec: { unschedulable: "yes" } }),
    apart: "message",
  },
  {
    does: "refuses a quantity that is none",
    ...patch(`${NODES}/m1/status`, MERGE, { status: { capacity: { cpu: "much" } } }),
    apart: "message",
  },
  {
    does: "refuses an owner without a uid",
    ...patch(`${NODES}/m1`, MERGE, {
      metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "x" }] },
    }),
    apart: "message",
  },
  {
    does: "takes owners",
    ...patch(`${NODES}/m1`, MERGE, {
      metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "x", uid: "u" }] },
    }),
  },
  {
    does: "merges owners by uid",
    ...patch(`${NODES}/m1`, STRATEGIC, {
      metadata: {
        ownerReferences: [
          { uid: "u", controller: true },
          { apiVersion: "v1", kind: "Node", name: "y", uid: "w" },
        ],
      },
    }),
  },
  {
    does: "removes an owner by uid",
    ...patch(`${NODES}/m1`, STRATEGIC, {
      metadata: { ownerReferences: [{ uid: "u", $patch: "delete" }] },
    }),
  },
  {
    does: "removes labels one by one",
    ...patch(`${NODES}/m1`, STRATEGIC, { metadata: { labels: { viaStatus: null, other: "x" } } }),
  },
  {
    does: "refuses annotations that are too large",
    ...patch(`${NODES}/m1`, MERGE, { metadata: { annotations: { big: "x".repeat(300_000) } } }),
  },
  {
    does: "refuses a label that is too long",
    ...patch(`${NODES}/m1`, MERGE, { metadata: { labels: { long: "x".repeat(70) } } }),
  },
  {
    does: "refuses a label prefix that is none",
    ...patch(`${NODES}/m1`, MERGE, { metadata: { labels: { "/x": "y" } } }),
  },
  {
    does: "refuses a label with two slashes",
    ...patch(`${NODES}/m1`, MERGE, { metadata: { labels: { "a/b/c": "y" } } }),
  },
  {
    does: "marks a node in the foreground",
    method: "DELETE",
    path: `${NODES}/m1`,
    body: { propagationPolicy: "Foreground" },
  },
  { does: "keeps it until the collector comes", method: "GET", path: `${NODES}/m1` },
  {
    does: "lets it go by hand",
    ...patch(`${NODES}/m1`, MERGE, { metadata: { finalizers: null } }),
  },
  { does: "pages a list", method: "GET", path: "/api/v1/namespaces?limit=1", apart: "body" },
  {
    does: "creates an event by PUT",
    ...put(`${EVENTS}/put`, {
      metadata: { name: "put" },
      involvedObject: { kind: "Node", name: "n1" },
    }),
  },
  {
    does: "replaces it without its version",
    ...put(`${EVENTS}/put`, {
      metadata: { name: "put" },
      involvedObject: { kind: "Node", name: "n1" },
      reason: "R",
    }),
  },
  {
    does: "refuses a resourceVersion that is no number in a PUT",
    ...put(`${EVENTS}/put`, {
      metadata: { name: "put", resourceVersion: "abc" },
      involvedObject: { kind: "Node", name: "n1" },
    }),
    apart: "message",
  },
  {
    does: "refuses a token for a minute",
    ...create("/api/v1/namespaces/default/serviceaccounts/sb/token", { spec: {} }),
  },
  {
    does: "takes a namespace's own finalizer off",
    method: "PUT",
    path: "/api/v1/namespaces/team/finalize",
    body: { metadata: { name: "team" } },
  },
  {
    does: "deletes an empty namespace at once then",
    method: "DELETE",
    path: "/api/v1/namespaces/team",
  },
  {
    does: "refuses a role binding's change of role",
    ...create("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
      metadata: { name: "b:c" },
      subjects: [{ kind: "Group", name: "g" }],
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "x" },
    }),
  },
  {
    does: "refuses to bind it anew",
    ...patch("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/b:c", MERGE, {
      roleRef: { name: "y" },
    }),
    apart: "message",
  },
  {
    does: "creates a role",
    ...create("/apis/rbac.authorization.k8s.io/v1/clusterroles", {
      metadata: { name: "x:y" },
      rules: [{ verbs: ["get"], apiGroups: [""], resources: ["nodes"] }],
    }),
  },
  {
    does: "creates a role without rules",
    ...create("/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", {
      metadata: { name: "none" },
    }),
  },
  { does: "answers HEAD with 405", method: "OPTIONS", path: NODES },
];
