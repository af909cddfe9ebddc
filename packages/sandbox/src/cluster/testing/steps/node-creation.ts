import { create, patch, put, type Step } from "../comparison.ts";

const NODES = "/api/v1/nodes";
const NODE = `${NODES}/n1`;
const UNINITIALISED = {
  key: "node.cloudprovider.kubernetes.io/uninitialized",
  value: "true",
  effect: "NoSchedule",
};

/** How a node is created, and what is no such call. */
export const NODE_CREATION: readonly Step[] = [
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
];
