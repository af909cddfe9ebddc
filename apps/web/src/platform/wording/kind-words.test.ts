import { describe, expect, it } from "vitest";
import { countOfKind, countOfProblems, countsByKind, kindWord } from "./kind-words.ts";

describe("a kind of object", () => {
  it.each([
    ["Node", "node", "2 nodes"],
    ["NodeRoutes", "node's routes", "2 nodes' routes"],
    ["Service", "Service", "2 Services"],
    ["PersistentVolume", "volume", "2 volumes"],
    ["Namespace", "namespace", "2 namespaces"],
    ["Ingress", "ingress", "2 ingresses"],
    ["NetworkPolicy", "networkpolicy", "2 networkpolicies"],
    ["Gateway", "gateway", "2 gateways"],
    ["constructor", "constructor", "2 constructors"],
  ])("%s is called %s, and two of them %s", (kind, one, two) => {
    expect(kindWord(kind)).toBe(one);
    expect(countOfKind(1, kind)).toBe(`1 ${one}`);
    expect(countOfKind(2, kind)).toBe(two);
  });

  it.each([
    [1, "Route", "1 route"],
    [3, "Route", "3 routes without a node"],
    [1_200, "LoadBalancer", "1,200 load balancers without a Service"],
    [3, "Node", "3 nodes"],
    [3, "Namespace", "3 namespaces"],
  ])("says what is wrong with several that nothing asks for: %d of %s", (count, kind, text) => {
    expect(countOfProblems(count, kind)).toBe(text);
  });
});

it.each([
  [{}, []],
  [{ Node: 0 }, []],
  [{ Service: 1, LoadBalancer: 2, Node: 1 }, ["1 node", "3 load balancers"]],
  [{ Service: 1 }, ["1 load balancer"]],
  [
    { Namespace: 2, Certificate: 1, PersistentVolume: 1 },
    ["1 volume", "1 certificate", "2 namespaces"],
  ],
])("counts of %j name each thing once, those with a page first", (counts, named) => {
  expect(countsByKind(counts)).toEqual(named);
});
