import { expect, it } from "vitest";
import { taintOwner } from "./node-header.tsx";

it.each([
  ["node.cloudprovider.kubernetes.io/uninitialized", "ours"],
  ["node.cloudprovider.kubernetes.io/shutdown", "ours"],
  ["node.cluster.x-k8s.io/uninitialized", "Cluster API, not ours"],
  ["node.kubernetes.io/not-ready", "Kubernetes, not ours"],
  ["example.org/own", "not ours"],
])("the taint %s is %s", (key, owner) => {
  expect(taintOwner(key)).toBe(owner);
});
