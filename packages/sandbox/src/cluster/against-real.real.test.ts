import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiClient } from "./testing/api-client.ts";
import {
  create,
  JSON_PATCH,
  MERGE,
  patch,
  put,
  STRATEGIC,
  type Step,
  verdict,
} from "./testing/comparison.ts";
import { missingRealCluster, type RealCluster, startRealCluster } from "./testing/real-cluster.ts";
import { startTestCluster, type TestCluster } from "./testing/test-cluster.ts";

const NODES = "/api/v1/nodes";
const NODE = `${NODES}/n1`;
const MAPS = "/api/v1/namespaces/default/configmaps";
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const EVENTS = "/api/v1/namespaces/default/events";
const NEW_EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const UNINITIALISED = {
  key: "node.cloudprovider.kubernetes.io/uninitialized",
  value: "true",
  effect: "NoSchedule",
};

/** In order: later steps stand on what earlier ones left. */
const STEPS: readonly Step[] = [
  {
    does: "refuses a name that is no subdomain",
    ...create(NODES, { metadata: { name: "Bad_Name" } }),
  },
  { does: "refuses an object without a name", ...create(NODES, { metadata: {} }) },
  {
    does: "refuses another kind",
    ...create(NODES, { kind: "Pod", apiVersion: "v1" }),
    apart: "message",
  },
  {
    does: "refuses another version",
    ...create(NODES, { kind: "Node", apiVersion: "v2" }),
    apart: "message",
  },
  { does: "refuses a body that is cut off", ...create(NODES, '{"metadata":{"name":"n2"') },
  { does: "refuses an empty body", ...create(NODES, "") },
  { does: "refuses a number for a name", ...create(NODES, { metadata: { name: 5 } }) },
  {
    does: "refuses a resourceVersion at creation",
    ...create(NODES, { metadata: { name: "n0", resourceVersion: "12" } }),
  },
  {
    does: "says all that is wrong with labels, annotations and taints",
    ...create(NODES, {
      metadata: { name: "n0", labels: { "a b": "y z" }, annotations: { "B d": "x" } },
      spec: {
        taints: [
          { key: "a b", effect: "Foo" },
          { key: "a", effect: "NoSchedule" },
          { key: "a", effect: "NoSchedule", value: "2 " },
          { key: "q" },
        ],
      },
    }),
  },
  {
    does: "refuses what is no CIDR",
    ...create(NODES, { metadata: { name: "n0" }, spec: { podCIDR: "10.0.0.0" } }),
  },
  {
    does: "refuses two CIDRs of one family",
    ...create(NODES, {
      metadata: { name: "n0" },
      spec: { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.0.0/24", "10.0.1.0/24"] },
    }),
    apart: "message",
  },
  {
    does: "refuses unknown fields when asked to be strict",
    ...create(`${NODES}?fieldValidation=Strict`, {
      metadata: { name: "n0" },
      spec: { foo: 1, taints: [{ key: "b", effect: "NoSchedule", bar: 1 }] },
      zap: 2,
    }),
  },
  { does: "refuses a fieldValidation that is none", ...create(`${NODES}?fieldValidation=Foo`, {}) },
  {
    does: "refuses a dryRun that is none",
    ...create(`${NODES}?dryRun=foo`, { metadata: { name: "n0" } }),
  },
  {
    does: "creates nothing in a dry run",
    ...create(`${NODES}?dryRun=All`, { metadata: { name: "n0" } }),
  },
  { does: "has nothing after a dry run", method: "GET", path: `${NODES}/n0` },
  {
    does: "creates a node with the admission's taint and defaults",
    ...create(NODES, {
      kind: "Node",
      apiVersion: "v1",
      metadata: { name: "n1", labels: {}, annotations: { a: "" } },
      spec: { taints: [UNINITIALISED], podCIDR: "10.0.0.0/24", unschedulable: false },
      status: {
        capacity: { cpu: "4", memory: "1000Mi" },
        conditions: [
          { type: "Ready", status: "True", lastHeartbeatTime: "2026-01-01T00:00:00.5Z" },
        ],
      },
    }),
  },
  { does: "refuses the same name again", ...create(NODES, { metadata: { name: "n1" } }) },
  { does: "refuses POST on a name", ...create(NODE, {}) },
  { does: "refuses PUT on a collection", ...put(NODES, {}) },
  { does: "refuses a patch without a patch's type", ...patch(NODE, "application/json", {}) },
  {
    does: "refuses a body of unknown type",
    ...create(NODES, "x"),
    contentType: "text/plain",
    apart: "message",
  },
  {
    does: "refuses a form that it does not have",
    method: "GET",
    path: NODES,
    accept: "text/foo",
    apart: "message",
  },
  { does: "knows no such resource", method: "GET", path: "/api/v1/foos" },
  { does: "knows no such group", method: "GET", path: "/apis/foo/v1/bars" },
  { does: "knows no such path", method: "GET", path: "/nothing" },
  { does: "knows no such subresource", method: "GET", path: `${NODE}/foo` },
  { does: "has no nodes in a namespace", method: "GET", path: "/api/v1/namespaces/default/nodes" },
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
  {
    does: "refuses to read a field selector that it does not know",
    method: "GET",
    path: `${NODES}?fieldSelector=spec.foo=x`,
  },
  {
    does: "refuses a field selector that is none",
    method: "GET",
    path: `${NODES}?fieldSelector=foo`,
  },
  {
    does: "selects by spec.unschedulable",
    method: "GET",
    path: `${NODES}?fieldSelector=spec.unschedulable=true`,
  },
  {
    does: "selects by label sets",
    method: "GET",
    path: `${NODES}?labelSelector=fromStatus+in+(yes,no),!nope,fromStatus!=x`,
  },
  {
    does: "refuses a label selector with two signs",
    method: "GET",
    path: `${NODES}?labelSelector=a=b=c`,
  },
  {
    does: "refuses a label selector without a sign",
    method: "GET",
    path: `${NODES}?labelSelector=a%20b`,
  },
  {
    does: "refuses a resourceVersion that is no number",
    method: "GET",
    path: `${NODES}?resourceVersion=abc`,
  },
  {
    does: "refuses a match without a version",
    method: "GET",
    path: `${NODES}?resourceVersionMatch=Exact`,
  },
  {
    does: "refuses a match that is none",
    method: "GET",
    path: `${NODES}?resourceVersionMatch=Foo&resourceVersion=1`,
  },
  {
    does: "refuses a continue token that is none",
    method: "GET",
    path: `${NODES}?limit=1&continue=xxx`,
    apart: "message",
  },
  {
    does: "refuses initial events without the match",
    method: "GET",
    path: `${NODES}?watch=1&timeoutSeconds=1&sendInitialEvents=true`,
  },
  {
    does: "streams the initial events to their bookmark",
    method: "GET",
    path: `${NODES}?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&fieldSelector=metadata.name=none`,
    apart: "body",
  },
  { does: "shows a table", method: "GET", path: NODE, accept: TABLE, apart: "body" },
  {
    does: "shows metadata alone",
    method: "GET",
    path: NODE,
    accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  },
  {
    does: "refuses to delete another uid",
    method: "DELETE",
    path: NODE,
    body: { preconditions: { uid: "foo" } },
  },
  {
    does: "refuses to delete an older version",
    method: "DELETE",
    path: NODE,
    body: { preconditions: { resourceVersion: "1" } },
  },
  { does: "finds nothing to delete", method: "DELETE", path: `${NODES}/nope` },
  {
    does: "refuses a finalizer that is not qualified",
    ...patch(NODE, MERGE, { metadata: { finalizers: ["abc"] } }),
  },
  { does: "takes finalizers", ...patch(NODE, MERGE, { metadata: { finalizers: ["a.b/c"] } }) },
  {
    does: "merges finalizers as a set",
    ...patch(NODE, STRATEGIC, { metadata: { finalizers: ["d.e/f"] } }),
  },
  {
    does: "takes single finalizers out",
    ...patch(NODE, STRATEGIC, { metadata: { "$deleteFromPrimitiveList/finalizers": ["a.b/c"] } }),
  },
  { does: "only marks what finalizers hold", method: "DELETE", path: NODE },
  { does: "marks it once", method: "DELETE", path: NODE },
  {
    does: "refuses further finalizers then",
    ...patch(NODE, MERGE, { metadata: { finalizers: ["d.e/f", "g.h/i"] } }),
  },
  {
    does: "goes with its last finalizer",
    ...patch(NODE, MERGE, { metadata: { finalizers: null } }),
  },
  { does: "is gone then", method: "GET", path: NODE },
  { does: "deletes at once what nobody holds", ...create(NODES, { metadata: { name: "n2" } }) },
  { does: "answers a deletion with a Status", method: "DELETE", path: `${NODES}/n2` },
  {
    does: "deletes a collection by selector",
    method: "DELETE",
    path: `${NODES}?labelSelector=zap=zip`,
  },
  {
    does: "refuses to create in a namespace that is not there",
    ...create("/api/v1/namespaces/nonex/configmaps", { metadata: { name: "x" } }),
  },
  {
    does: "lists a namespace that is not there",
    method: "GET",
    path: "/api/v1/namespaces/nonex/configmaps",
  },
  {
    does: "refuses to create across namespaces",
    ...create("/api/v1/configmaps", { metadata: { name: "x" } }),
  },
  {
    does: "refuses a namespace that contradicts the path",
    ...create(MAPS, { metadata: { name: "x", namespace: "foo" } }),
  },
  {
    does: "refuses a key that is none",
    ...create(MAPS, { metadata: { name: "x" }, data: { "a b": "c" } }),
  },
  {
    does: "refuses a key twice",
    ...create(MAPS, { metadata: { name: "x" }, data: { a: "c" }, binaryData: { a: "Yg==" } }),
    apart: "message",
  },
  {
    does: "creates a config map",
    ...create(MAPS, { metadata: { name: "x" }, data: { b: "2", a: "1" } }),
  },
  { does: "freezes a config map", ...patch(`${MAPS}/x`, MERGE, { immutable: true }) },
  {
    does: "refuses to change a frozen config map",
    ...patch(`${MAPS}/x`, MERGE, { data: { a: "2" } }),
  },
  { does: "deletes a config map", method: "DELETE", path: `${MAPS}/x` },
  {
    does: "encodes a secret's text",
    ...create("/api/v1/namespaces/default/secrets", {
      metadata: { name: "s" },
      stringData: { a: "b" },
    }),
  },
  {
    does: "refuses what is not base64",
    ...create("/api/v1/namespaces/default/secrets", { metadata: { name: "t" }, data: { a: "b" } }),
  },
  {
    does: "refuses a secret of another type",
    ...patch("/api/v1/namespaces/default/secrets/s", MERGE, { type: "other" }),
  },
  {
    does: "refuses a lease of no duration",
    ...create(LEASES, {
      metadata: { name: "l" },
      spec: { leaseDurationSeconds: 0, leaseTransitions: -1 },
    }),
  },
  {
    does: "refuses a lease's time without decimals",
    ...create(LEASES, { metadata: { name: "l" }, spec: { renewTime: "2026-11-21T06:24:20Z" } }),
  },
  {
    does: "refuses a time that is none",
    ...create(LEASES, { metadata: { name: "l" }, spec: { renewTime: "soon" } }),
    apart: "message",
  },
  {
    does: "creates a lease",
    ...create(LEASES, {
      metadata: { name: "l" },
      spec: {
        holderIdentity: "a",
        leaseDurationSeconds: 15,
        leaseTransitions: 0,
        renewTime: "2026-11-21T06:24:20.123456Z",
      },
    }),
  },
  {
    does: "refuses to replace a lease without its version",
    ...put(`${LEASES}/l`, { metadata: { name: "l" } }),
  },
  {
    does: "refuses to replace a lease by an old version",
    ...put(`${LEASES}/l`, { metadata: { name: "l", resourceVersion: "3" } }),
  },
  { does: "creates a lease by PUT", ...put(`${LEASES}/m`, { metadata: { name: "m" } }) },
  {
    does: "refuses another name in the PUT of a lease",
    ...put(`${LEASES}/m`, { metadata: { name: "l4" } }),
  },
  {
    does: "refuses an event outside its object's namespace",
    ...create(EVENTS, {
      metadata: { name: "e" },
      involvedObject: { kind: "Node", name: "n1", namespace: "foo" },
    }),
  },
  {
    does: "refuses a cluster-scoped object's event outside default",
    ...create("/api/v1/namespaces/kube-system/events", {
      metadata: { name: "e" },
      involvedObject: { kind: "Node", name: "n1" },
    }),
  },
  {
    does: "asks more of an event with an eventTime",
    ...create(EVENTS, {
      metadata: { name: "e" },
      involvedObject: { kind: "Node", name: "n1" },
      eventTime: "2026-11-21T06:24:20.000001Z",
    }),
  },
  {
    does: "creates an event",
    ...create(EVENTS, {
      metadata: { name: "e" },
      involvedObject: { kind: "Node", name: "n1", uid: "u" },
      reason: "Synced",
      message: "hi",
      type: "Normal",
      count: 1,
      firstTimestamp: "2026-11-21T06:24:20Z",
      lastTimestamp: "2026-11-21T06:24:20Z",
      source: { component: "x" },
    }),
  },
  {
    does: "counts an event up",
    ...patch(`${EVENTS}/e`, STRATEGIC, { count: 2, lastTimestamp: "2026-11-21T06:25:20Z" }),
  },
  { does: "shows the event in its newer form", method: "GET", path: `${NEW_EVENTS}/e` },
  {
    does: "asks for the newer form's fields",
    ...create(NEW_EVENTS, { metadata: { name: "f" }, regarding: { kind: "Node", name: "n1" } }),
  },
  {
    does: "creates an event in the newer form",
    ...create(NEW_EVENTS, {
      metadata: { name: "f" },
      regarding: { kind: "Node", name: "n1" },
      eventTime: "2026-11-21T06:24:20.000001Z",
      type: "Warning",
      reason: "R",
      action: "A",
      reportingController: "c.d/e",
      reportingInstance: "i",
      note: "n",
    }),
  },
  { does: "shows it in the older form", method: "GET", path: `${EVENTS}/f` },
  {
    does: "selects events",
    method: "GET",
    path: `${EVENTS}?fieldSelector=involvedObject.name=n1,reason!=R,type=Normal`,
  },
  { does: "creates a namespace", ...create("/api/v1/namespaces", { metadata: { name: "team" } }) },
  {
    does: "refuses a namespace whose name is no label",
    ...create("/api/v1/namespaces", { metadata: { name: "a.b" } }),
  },
  { does: "keeps kube-system", method: "DELETE", path: "/api/v1/namespaces/kube-system" },
  { does: "has no deletion of all namespaces", method: "DELETE", path: "/api/v1/namespaces" },
  {
    does: "creates a service account",
    ...create("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "sa" } }),
  },
  {
    does: "answers a deleted service account with itself",
    method: "DELETE",
    path: "/api/v1/namespaces/default/serviceaccounts/sa",
  },
  {
    does: "refuses a token of an account that is not there",
    ...create("/api/v1/namespaces/default/serviceaccounts/sa/token", { spec: {} }),
  },
  {
    does: "allows the administrator",
    ...create("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
      spec: { resourceAttributes: { verb: "get", resource: "nodes" } },
    }),
  },
  {
    does: "refuses a review about nothing",
    ...create("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", { spec: {} }),
  },
  {
    does: "denies the unknown",
    ...create("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
      spec: { user: "system:anonymous", nonResourceAttributes: { verb: "get", path: "/metrics" } },
    }),
  },
  {
    does: "does not know a made-up token",
    ...create("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: "bob" } }),
  },
  {
    does: "refuses a review by GET",
    method: "GET",
    path: "/apis/authentication.k8s.io/v1/tokenreviews",
  },
  { does: "lives", method: "GET", path: "/livez" },
  { does: "is ready", method: "GET", path: "/readyz" },
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

const missing = missingRealCluster();

describe.skipIf(missing !== undefined)("the sandbox cluster against a real API server", () => {
  let real: RealCluster;
  let sandbox: TestCluster;
  let realClient: ApiClient;

  beforeAll(async () => {
    real = startRealCluster();
    realClient = new ApiClient(real.access);
    sandbox = await startTestCluster({ rbac: true });
  });
  afterAll(async () => {
    await realClient.close();
    await sandbox.discard();
    real.discard();
  });

  it.each(STEPS)("$does", async (step) => {
    const expected = await verdict(realClient, step);
    expect(await verdict(sandbox.client, step)).toEqual(expected);
  });
});
