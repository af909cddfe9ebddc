import type { NodeFacts } from "@cloudwright/core/model/records/node-record";
import type { NodeControllerState, NodeDetail } from "@cloudwright/store/views/node-detail";
import type { NodeRow } from "@cloudwright/store/views/views";

export function nodeRow(name: string, over: Partial<NodeRow> = {}): NodeRow {
  return {
    ...{
      ready: "True",
      name,
      uid: `uid-${name}`,
      state: "ok",
      controller: "cloud-node-controller",
    },
    ...{ drift: "inStep", reason: { code: "InStep" }, since: Date.now() - 60_000 },
    ...{ nextAt: undefined, failures: 0, updatedAt: Date.now(), initMs: 1_500, zone: "a" },
    ...{ instanceType: "m1", providerID: `sandbox://${name}`, addresses: [] },
    lastRun: { id: "r-1", outcome: "unchanged", at: Date.now() - 60_000 },
    ...over,
  };
}

export function nodeFacts(over: Partial<NodeFacts> = {}): NodeFacts {
  return {
    ...{ providerID: "sandbox://w-1", addresses: [], instanceType: "m1", zone: "a", region: "r" },
    ...{ labels: {}, power: "running", asOf: Date.now() - 14 * 60_000 },
    ...over,
  };
}

export function controllerState(over: Partial<NodeControllerState> = {}): NodeControllerState {
  return {
    ...{ controller: "cloud-node-controller", state: "ok", reason: { code: "InStep" } },
    ...{ since: Date.now() - 60_000, nextAt: undefined, failures: 0, at: Date.now() },
    ...{ runId: "r-1", outcome: "unchanged", drift: "inStep" },
    ...{ follows: undefined, underneath: undefined },
    ...over,
  };
}

/** Returns an initialised, healthy node as the server does, with the given members replaced. */
export function nodeDetail(over: Partial<NodeDetail> = {}): NodeDetail {
  return {
    row: nodeRow("w-1"),
    ...{ createdAt: Date.now() - 14 * 60_000, goneAt: undefined },
    controllers: [controllerState()],
    ...{ timeline: [], taints: [], node: undefined, cloud: undefined, wanted: undefined },
    ...{ machine: undefined, ready: undefined, kubeletVersion: undefined, routes: undefined },
    ...{ ranges: undefined, fleet: undefined, openIntents: [] },
    ...over,
  };
}
