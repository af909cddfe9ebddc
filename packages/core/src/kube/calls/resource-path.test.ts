import { describe, expect, it } from "vitest";
import { EVENTS, LEASES, NODES, type Target } from "../client.ts";
import { resourceName, resourcePath } from "./resource-path.ts";

const cases: readonly [string, Target, Record<string, string>, string][] = [
  ["a collection without namespaces", { resource: NODES }, {}, "/api/v1/nodes"],
  ["an object", { resource: NODES, name: "w-1" }, {}, "/api/v1/nodes/w-1"],
  [
    "a subresource",
    { resource: NODES, name: "w-1", subresource: "status" },
    {},
    "/api/v1/nodes/w-1/status",
  ],
  ["all namespaces", { resource: EVENTS }, {}, "/api/v1/events"],
  [
    "an object of a group",
    { resource: LEASES, namespace: "kube-system", name: "ccm" },
    {},
    "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/ccm",
  ],
  [
    "a namespace given for what has none",
    { resource: NODES, namespace: "default", name: "w-1" },
    {},
    "/api/v1/nodes/w-1",
  ],
  [
    "a name that would leave its place",
    { resource: NODES, name: "../pods" },
    {},
    "/api/v1/nodes/..%2Fpods",
  ],
  [
    "a query",
    { resource: NODES },
    { fieldSelector: "metadata.name=a b", limit: "5" },
    "/api/v1/nodes?fieldSelector=metadata.name%3Da+b&limit=5",
  ],
];

describe("the path of", () => {
  it.each(cases)("%s", (...[, target, query, path]) => {
    expect(resourcePath(target, query)).toBe(path);
  });
});

it("names a resource with its subresource", () => {
  expect(resourceName({ resource: NODES, subresource: "status" })).toBe("nodes/status");
  expect(resourceName({ resource: NODES, name: "w-1" })).toBe("nodes");
});
