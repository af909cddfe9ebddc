import {
  create,
  get,
  inOtherWords,
  JSON_PATCH,
  MERGE,
  patch,
  put,
  removeAt,
  STRATEGIC,
  statusAlone,
  stepsOf,
} from "../comparison.ts";

const NODES = "/api/v1/nodes";
const EVENTS = "/api/v1/namespaces/default/events";

/** Unknown fields, owners, limits of labels, and unusual writes. */
export const STRICT_WRITES = stepsOf({
  "creates another node": create(NODES, {
    metadata: { name: "m1", annotations: { "X.y/Z": "1" } },
  }),
  "refuses unknown fields in a strict PUT": put(`${NODES}/m1?fieldValidation=Strict`, {
    metadata: { name: "m1" },
    zap: 1,
  }),
  "refuses unknown fields in a strict merge patch": inOtherWords(
    patch(`${NODES}/m1?fieldValidation=Strict`, MERGE, { spec: { zap: 1 } }),
  ),
  "refuses unknown fields in a strict strategic patch": inOtherWords(
    patch(`${NODES}/m1?fieldValidation=Strict`, STRATEGIC, { spec: { zap: 1 } }),
  ),
  "refuses unknown fields in a strict JSON patch": inOtherWords(
    patch(`${NODES}/m1?fieldValidation=Strict`, JSON_PATCH, [
      { op: "add", path: "/spec/zap", value: 1 },
    ]),
  ),
  "drops unknown fields of a patch otherwise": patch(`${NODES}/m1`, MERGE, {
    spec: { zap: 1, unschedulable: true },
  }),
  "replaces a status by PUT and nothing else": put(`${NODES}/m1/status`, {
    metadata: { name: "m1", labels: { viaStatus: "1" } },
    spec: { unschedulable: false },
    status: {
      addresses: [{ type: "Hostname", address: "h" }],
      nodeInfo: { kubeletVersion: "v1" },
    },
  }),
  "reads a status": get(`${NODES}/m1/status`),
  "has no deletion of a status": removeAt(`${NODES}/m1/status`),
  "refuses a merge patch by a wrong type deep down": inOtherWords(
    patch(`${NODES}/m1`, MERGE, { spec: { taints: "none" } }),
  ),
  "refuses a strategic patch by a wrong type deep down": inOtherWords(
    patch(`${NODES}/m1`, STRATEGIC, { spec: { unschedulable: "yes" } }),
  ),
  "refuses a quantity that is none": inOtherWords(
    patch(`${NODES}/m1/status`, MERGE, { status: { capacity: { cpu: "much" } } }),
  ),
  "refuses an owner without a uid": inOtherWords(
    patch(`${NODES}/m1`, MERGE, {
      metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "x" }] },
    }),
  ),
  "takes owners": patch(`${NODES}/m1`, MERGE, {
    metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "x", uid: "u" }] },
  }),
  "merges owners by uid": patch(`${NODES}/m1`, STRATEGIC, {
    metadata: {
      ownerReferences: [
        { uid: "u", controller: true },
        { apiVersion: "v1", kind: "Node", name: "y", uid: "w" },
      ],
    },
  }),
  "removes an owner by uid": patch(`${NODES}/m1`, STRATEGIC, {
    metadata: { ownerReferences: [{ uid: "u", $patch: "delete" }] },
  }),
  "removes labels one by one": patch(`${NODES}/m1`, STRATEGIC, {
    metadata: { labels: { viaStatus: null, other: "x" } },
  }),
  "refuses annotations that are too large": patch(`${NODES}/m1`, MERGE, {
    metadata: { annotations: { big: "x".repeat(300_000) } },
  }),
  "refuses a label that is too long": patch(`${NODES}/m1`, MERGE, {
    metadata: { labels: { long: "x".repeat(70) } },
  }),
  "refuses a label prefix that is none": patch(`${NODES}/m1`, MERGE, {
    metadata: { labels: { "/x": "y" } },
  }),
  "refuses a label with two slashes": patch(`${NODES}/m1`, MERGE, {
    metadata: { labels: { "a/b/c": "y" } },
  }),
  "marks a node in the foreground": {
    method: "DELETE",
    path: `${NODES}/m1`,
    body: { propagationPolicy: "Foreground" },
  },
  "keeps it until the collector comes": get(`${NODES}/m1`),
  "lets it go by hand": patch(`${NODES}/m1`, MERGE, { metadata: { finalizers: null } }),
  "pages a list": statusAlone(get("/api/v1/namespaces?limit=1")),
  "creates an event by PUT": put(`${EVENTS}/put`, {
    metadata: { name: "put" },
    involvedObject: { kind: "Node", name: "n1" },
  }),
  "replaces it without its version": put(`${EVENTS}/put`, {
    metadata: { name: "put" },
    involvedObject: { kind: "Node", name: "n1" },
    reason: "R",
  }),
  "refuses a resourceVersion that is no number in a PUT": inOtherWords(
    put(`${EVENTS}/put`, {
      metadata: { name: "put", resourceVersion: "abc" },
      involvedObject: { kind: "Node", name: "n1" },
    }),
  ),
  "refuses a token for a minute": create("/api/v1/namespaces/default/serviceaccounts/sb/token", {
    spec: {},
  }),
  "takes a namespace's own finalizer off": {
    method: "PUT",
    path: "/api/v1/namespaces/team/finalize",
    body: { metadata: { name: "team" } },
  },
  "deletes an empty namespace at once then": removeAt("/api/v1/namespaces/team"),
  "refuses a role binding's change of role": create(
    "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    {
      metadata: { name: "b:c" },
      subjects: [{ kind: "Group", name: "g" }],
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "x" },
    },
  ),
  "refuses to bind it anew": inOtherWords(
    patch("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/b:c", MERGE, {
      roleRef: { name: "y" },
    }),
  ),
  "creates a role": create("/apis/rbac.authorization.k8s.io/v1/clusterroles", {
    metadata: { name: "x:y" },
    rules: [{ verbs: ["get"], apiGroups: [""], resources: ["nodes"] }],
  }),
  "creates a role without rules": create(
    "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
    {
      metadata: { name: "none" },
    },
  ),
  "answers HEAD with 405": { method: "OPTIONS", path: NODES },
});
