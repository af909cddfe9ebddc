import { describe, expect, it } from "vitest";
import type { KubeObject, Node } from "../client.ts";
import { stripManagedFields, stripNode, stripService } from "./strip.ts";

describe("what is dropped on arrival", () => {
  it("is the record of who wrote which field, and nothing else in the metadata", () => {
    const metadata = { name: "a", labels: { b: "c" }, finalizers: ["d"] };
    const object: KubeObject = {
      kind: "Node",
      metadata: { ...metadata, ...{ managedFields: [] } },
    };
    expect(stripManagedFields(object)).toEqual({ kind: "Node", metadata });
  });

  it("is the part of a node that only kubelet and scheduler read; addresses, conditions and taints stay", () => {
    const kept: Node = {
      metadata: { name: "a" },
      spec: { providerID: "sandbox://i-1", taints: [{ key: "k", effect: "NoSchedule" }] },
      status: {
        addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
        conditions: [{ type: "Ready", status: "True" }],
      },
    };
    const arrived: Node = {
      ...kept,
      status: {
        ...kept.status,
        images: [{ names: ["big"] }],
        volumesInUse: ["v"],
        daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      },
    };
    expect(stripNode(arrived)).toEqual(kept);
    expect(stripNode({ metadata: { name: "a" } })).toEqual({ metadata: { name: "a" } });
  });
});

it("leaves a Service what its load balancer depends on and the reported status, and no more", () => {
  const stripped = stripService({
    metadata: {
      name: "web",
      labels: { a: "b" },
      finalizers: ["f"],
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}", x: "y" },
    },
    spec: { type: "LoadBalancer", selector: { a: "b" }, ports: [{ port: 80 }] },
    status: { conditions: [CONDITION], loadBalancer: { ingress: [] } },
  });
  expect(stripped).toEqual({
    metadata: { name: "web", finalizers: ["f"], annotations: { x: "y" } },
    spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
    status: { conditions: [CONDITION], loadBalancer: { ingress: [] } },
  });
});

const CONDITION = {
  type: "t",
  status: "True",
  reason: "r",
  message: "",
  lastTransitionTime: "2026-01-01T00:00:00Z",
};

it("leaves only its identity to a Service that has no load balancer", () => {
  const metadata = { name: "db", uid: "u", annotations: { x: "y" } };
  expect(stripService({ metadata, spec: { ports: [{ port: 80 }] } })).toEqual({
    metadata: { name: "db", uid: "u" },
    spec: { type: "ClusterIP" },
  });
});
