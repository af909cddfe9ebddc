import {
  create,
  get,
  inOtherWords,
  MERGE,
  patch,
  put,
  removeAt,
  STRATEGIC,
  stepsOf,
} from "../comparison.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const EVENTS = "/api/v1/namespaces/default/events";
const NEW_EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";

/** Namespaces, config maps, secrets, leases, Events, accounts and reviews. */
export const OTHER_KINDS = stepsOf({
  "refuses to create in a namespace that is not there": create(
    "/api/v1/namespaces/nonex/configmaps",
    { metadata: { name: "x" } },
  ),
  "lists a namespace that is not there": get("/api/v1/namespaces/nonex/configmaps"),
  "refuses to create across namespaces": create("/api/v1/configmaps", { metadata: { name: "x" } }),
  "refuses a namespace that contradicts the path": create(MAPS, {
    metadata: { name: "x", namespace: "foo" },
  }),
  "refuses a key that is none": create(MAPS, { metadata: { name: "x" }, data: { "a b": "c" } }),
  "refuses a key twice": inOtherWords(
    create(MAPS, { metadata: { name: "x" }, data: { a: "c" }, binaryData: { a: "Yg==" } }),
  ),
  "creates a config map": create(MAPS, { metadata: { name: "x" }, data: { b: "2", a: "1" } }),
  "freezes a config map": patch(`${MAPS}/x`, MERGE, { immutable: true }),
  "refuses to change a frozen config map": patch(`${MAPS}/x`, MERGE, { data: { a: "2" } }),
  "deletes a config map": removeAt(`${MAPS}/x`),
  "encodes a secret's text": create("/api/v1/namespaces/default/secrets", {
    metadata: { name: "s" },
    stringData: { a: "b" },
  }),
  "refuses what is not base64": create("/api/v1/namespaces/default/secrets", {
    metadata: { name: "t" },
    data: { a: "b" },
  }),
  "refuses a secret of another type": patch("/api/v1/namespaces/default/secrets/s", MERGE, {
    type: "other",
  }),
  "refuses a lease of no duration": create(LEASES, {
    metadata: { name: "l" },
    spec: { leaseDurationSeconds: 0, leaseTransitions: -1 },
  }),
  "refuses a lease's time without decimals": create(LEASES, {
    metadata: { name: "l" },
    spec: { renewTime: "2026-11-21T06:24:20Z" },
  }),
  "refuses a time that is none": inOtherWords(
    create(LEASES, { metadata: { name: "l" }, spec: { renewTime: "soon" } }),
  ),
  "creates a lease": create(LEASES, {
    metadata: { name: "l" },
    spec: {
      holderIdentity: "a",
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      renewTime: "2026-11-21T06:24:20.123456Z",
    },
  }),
  "refuses to replace a lease without its version": put(`${LEASES}/l`, { metadata: { name: "l" } }),
  "refuses to replace a lease by an old version": put(`${LEASES}/l`, {
    metadata: { name: "l", resourceVersion: "3" },
  }),
  "creates a lease by PUT": put(`${LEASES}/m`, { metadata: { name: "m" } }),
  "refuses another name in the PUT of a lease": put(`${LEASES}/m`, { metadata: { name: "l4" } }),
  "refuses an event outside its object's namespace": create(EVENTS, {
    metadata: { name: "e" },
    involvedObject: { kind: "Node", name: "n1", namespace: "foo" },
  }),
  "refuses a cluster-scoped object's event outside default": create(
    "/api/v1/namespaces/kube-system/events",
    {
      metadata: { name: "e" },
      involvedObject: { kind: "Node", name: "n1" },
    },
  ),
  "asks more of an event with an eventTime": create(EVENTS, {
    metadata: { name: "e" },
    involvedObject: { kind: "Node", name: "n1" },
    eventTime: "2026-11-21T06:24:20.000001Z",
  }),
  "creates an event": create(EVENTS, {
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
  "counts an event up": patch(`${EVENTS}/e`, STRATEGIC, {
    count: 2,
    lastTimestamp: "2026-11-21T06:25:20Z",
  }),
  "shows the event in its newer form": get(`${NEW_EVENTS}/e`),
  "asks for the newer form's fields": create(NEW_EVENTS, {
    metadata: { name: "f" },
    regarding: { kind: "Node", name: "n1" },
  }),
  "creates an event in the newer form": create(NEW_EVENTS, {
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
  "shows it in the older form": get(`${EVENTS}/f`),
  "selects events": get(`${EVENTS}?fieldSelector=involvedObject.name=n1,reason!=R,type=Normal`),
  "creates a namespace": create("/api/v1/namespaces", { metadata: { name: "team" } }),
  "refuses a namespace whose name is no label": create("/api/v1/namespaces", {
    metadata: { name: "a.b" },
  }),
  "keeps kube-system": removeAt("/api/v1/namespaces/kube-system"),
  "has no deletion of all namespaces": removeAt("/api/v1/namespaces"),
  "creates a service account": create("/api/v1/namespaces/default/serviceaccounts", {
    metadata: { name: "sa" },
  }),
  "answers a deleted service account with itself": removeAt(
    "/api/v1/namespaces/default/serviceaccounts/sa",
  ),
  "refuses a token of an account that is not there": create(
    "/api/v1/namespaces/default/serviceaccounts/sa/token",
    { spec: {} },
  ),
  "allows the administrator": create("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
    spec: { resourceAttributes: { verb: "get", resource: "nodes" } },
  }),
  "refuses a review about nothing": create(
    "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    { spec: {} },
  ),
  "denies the unknown": create("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
    spec: { user: "system:anonymous", nonResourceAttributes: { verb: "get", path: "/metrics" } },
  }),
  "does not know a made-up token": create("/apis/authentication.k8s.io/v1/tokenreviews", {
    spec: { token: "bob" },
  }),
  "refuses a review by GET": get("/apis/authentication.k8s.io/v1/tokenreviews"),
  lives: get("/livez"),
  "is ready": get("/readyz"),
});
