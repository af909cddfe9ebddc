import { create, MERGE, patch, put, STRATEGIC, type Step } from "../comparison.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const EVENTS = "/api/v1/namespaces/default/events";
const NEW_EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";

/** Namespaces, config maps, secrets, leases, Events, accounts and reviews. */
export const OTHER_KINDS: readonly Step[] = [
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
];
