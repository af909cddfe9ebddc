import { expect, it } from "vitest";
import type { Node } from "../../kube/client.ts";
import { changedParts } from "./node-changes.ts";

const OLD: Node = {
  metadata: { name: "w-1", uid: "u-1", labels: { a: "1", b: "2" } },
  spec: { taints: [{ key: "t", effect: "NoSchedule" }] },
  status: {
    addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
    conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-11-28T10:00:00Z" }],
  },
};

it("finds nothing in a heartbeat, nor in reordered members", () => {
  const conditions = [
    { type: "MemoryPressure", status: "False" },
    { type: "Ready", status: "True", lastHeartbeatTime: "2026-11-28T10:05:00Z" },
  ];
  const metadata = { ...OLD.metadata, labels: { b: "2", a: "1" }, resourceVersion: "8" };
  const now: Node = { ...OLD, metadata, status: { ...OLD.status, conditions } };
  expect(changedParts(OLD, now)).toEqual([]);
});

it.each<[string, Node]>([
  ["created anew", { ...OLD, metadata: { ...OLD.metadata, uid: "u-2" } }],
  ["labels", { ...OLD, metadata: { ...OLD.metadata, labels: { a: "1" } } }],
  ["annotations", { ...OLD, metadata: { ...OLD.metadata, annotations: { c: "" } } }],
  ["provider ID", { ...OLD, spec: { ...OLD.spec, providerID: "sandbox://i-1" } }],
  ["taints", { ...OLD, spec: {} }],
  ["addresses", { ...OLD, status: { ...OLD.status, addresses: [] } }],
  ["readiness", { ...OLD, status: { ...OLD.status, conditions: [] } }],
])("names what has changed: %s", (part, now) => {
  expect(changedParts(OLD, now)).toEqual([part]);
});
