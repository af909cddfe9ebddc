import { create, get, inOtherWords, patch, put, stepsOf } from "../comparison.ts";

const NODES = "/api/v1/nodes";
const NODE = `${NODES}/n1`;
const UNINITIALISED = {
  key: "node.cloudprovider.kubernetes.io/uninitialized",
  value: "true",
  effect: "NoSchedule",
};

/** How a node is created, and which requests are refused. */
export const NODE_CREATION = stepsOf({
  "refuses a name that is no subdomain": create(NODES, { metadata: { name: "Bad_Name" } }),
  "refuses an object without a name": create(NODES, { metadata: {} }),
  "refuses another kind": inOtherWords(create(NODES, { kind: "Pod", apiVersion: "v1" })),
  "refuses another version": inOtherWords(create(NODES, { kind: "Node", apiVersion: "v2" })),
  "refuses a body that is cut off": create(NODES, '{"metadata":{"name":"n2"'),
  "refuses an empty body": create(NODES, ""),
  "refuses a number for a name": create(NODES, { metadata: { name: 5 } }),
  "refuses a resourceVersion at creation": create(NODES, {
    metadata: { name: "n0", resourceVersion: "12" },
  }),
  "says all that is wrong with labels, annotations and taints": create(NODES, {
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
  "refuses what is no CIDR": create(NODES, {
    metadata: { name: "n0" },
    spec: { podCIDR: "10.0.0.0" },
  }),
  "refuses two CIDRs of one family": inOtherWords(
    create(NODES, {
      metadata: { name: "n0" },
      spec: { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.0.0/24", "10.0.1.0/24"] },
    }),
  ),
  "refuses unknown fields when asked to be strict": create(`${NODES}?fieldValidation=Strict`, {
    metadata: { name: "n0" },
    spec: { foo: 1, taints: [{ key: "b", effect: "NoSchedule", bar: 1 }] },
    zap: 2,
  }),
  "refuses a fieldValidation that is none": create(`${NODES}?fieldValidation=Foo`, {}),
  "refuses a dryRun that is none": create(`${NODES}?dryRun=foo`, { metadata: { name: "n0" } }),
  "creates nothing in a dry run": create(`${NODES}?dryRun=All`, { metadata: { name: "n0" } }),
  "has nothing after a dry run": get(`${NODES}/n0`),
  "creates a node with the admission's taint and defaults": create(NODES, {
    kind: "Node",
    apiVersion: "v1",
    metadata: { name: "n1", labels: {}, annotations: { a: "" } },
    spec: { taints: [UNINITIALISED], podCIDR: "10.0.0.0/24", unschedulable: false },
    status: {
      capacity: { cpu: "4", memory: "1000Mi" },
      conditions: [{ type: "Ready", status: "True", lastHeartbeatTime: "2026-01-01T00:00:00.5Z" }],
    },
  }),
  "refuses the same name again": create(NODES, { metadata: { name: "n1" } }),
  "refuses POST on a name": create(NODE, {}),
  "refuses PUT on a collection": put(NODES, {}),
  "refuses a patch without a patch's type": patch(NODE, "application/json", {}),
  "refuses a body of unknown type": inOtherWords({
    ...create(NODES, "x"),
    contentType: "text/plain",
  }),
  "refuses a form that it does not have": inOtherWords({
    method: "GET",
    path: NODES,
    accept: "text/foo",
  }),
  "knows no such resource": get("/api/v1/foos"),
  "knows no such group": get("/apis/foo/v1/bars"),
  "knows no such path": get("/nothing"),
  "knows no such subresource": get(`${NODE}/foo`),
  "has no nodes in a namespace": get("/api/v1/namespaces/default/nodes"),
});
