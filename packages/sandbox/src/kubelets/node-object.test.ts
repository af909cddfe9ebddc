import { describe, expect, it } from "vitest";
import { conditionsOf, leaseObject, nodeObject } from "./node-object.ts";

const machine = {
  id: "i-0123456789abcdef",
  name: "node-1",
  state: "running",
  cpu: 4,
  memoryMiB: 16_384,
  addresses: [
    { type: "ExternalIP", address: "203.0.113.1" },
    { type: "InternalIP", address: "10.64.0.1" },
    { type: "InternalIP", address: "10.64.0.2" },
  ],
};
const now = Date.parse("2026-01-02T03:04:05.678Z");
const moment = { now, kubeletVersion: "v1.37.1" };

describe("the Node that a kubelet registers", () => {
  it("waits for the cloud controller and has the kubelet's configured fields", () => {
    const node = nodeObject(machine, moment);
    expect(node.metadata.annotations).toMatchObject({
      "alpha.kubernetes.io/provided-node-ip": "10.64.0.1",
    });
    expect(node.metadata.labels).toMatchObject({
      "kubernetes.io/hostname": "node-1",
      "kubernetes.io/os": "linux",
      "beta.kubernetes.io/os": "linux",
    });
    expect(node.spec).toEqual({
      taints: [
        {
          key: "node.cloudprovider.kubernetes.io/uninitialized",
          value: "true",
          effect: "NoSchedule",
        },
      ],
    });
    expect(node.status.addresses).toEqual([
      { type: "InternalIP", address: "10.64.0.1" },
      { type: "Hostname", address: "node-1" },
    ]);
    expect(node.status.capacity).toMatchObject({ cpu: "4", memory: "16384Mi" });
    expect(node.status.nodeInfo.machineID).toMatch(/^[0-9a-f]{32}$/);
  });

  it("has only its host name when the machine has no internal address", () => {
    const node = nodeObject({ ...machine, addresses: [] }, moment);
    expect(node.status.addresses).toEqual([{ type: "Hostname", address: "node-1" }]);
    expect(node.metadata.annotations).not.toHaveProperty("alpha.kubernetes.io/provided-node-ip");
  });
});

describe("its conditions", () => {
  it("keep the time of the last change while the status stays", () => {
    const old = { status: "True", lastTransitionTime: "2025-01-01T00:00:00Z" };
    const conditions = conditionsOf(new Map([["Ready", old]]), now);
    expect(conditions.find(({ type }) => type === "Ready")).toMatchObject({
      status: "True",
      lastHeartbeatTime: "2026-01-02T03:04:05Z",
      lastTransitionTime: "2025-01-01T00:00:00Z",
    });
  });

  it("change their time with the status", () => {
    const old = { status: "Unknown", lastTransitionTime: "2025-01-01T00:00:00Z" };
    const conditions = conditionsOf(new Map([["Ready", old]]), now);
    expect(conditions.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(
      Array.from({ length: 4 }, () => "2026-01-02T03:04:05Z"),
    );
  });
});

it("the lease belongs to the Node", () => {
  expect(leaseObject("node-1", { nodeUid: "u-1", now })).toMatchObject({
    metadata: {
      namespace: "kube-node-lease",
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "node-1", uid: "u-1" }],
    },
    spec: {
      holderIdentity: "node-1",
      leaseDurationSeconds: 40,
      renewTime: "2026-01-02T03:04:05.678000Z",
    },
  });
});
