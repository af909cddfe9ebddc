import { expect, it } from "vitest";
import { runResult } from "../../reconcile/testing/driver.ts";
import { HOLD_ANNOTATION } from "../hold/hold.ts";
import { CLOUD_LABELS_ANNOTATION, PROVIDED_NODE_IP_ANNOTATION } from "../objects/node-object.ts";
import { CREATED_AT, found, node, UNINITIALIZED } from "../testing/node-fixture.ts";
import { OVERRIDE_ANNOTATION, overrideText } from "./actions/override.ts";
import { concludeNode } from "./conclude.ts";
import { wantedLabels } from "./labels.ts";
import type { NodeObserved } from "./observed.ts";
import { planNode } from "./plan.ts";

const ADDRESSES = [
  { type: "Hostname", address: "n1.cloud" },
  { type: "InternalIP", address: "10.0.0.1" },
  { type: "ExternalIP", address: "1.2.3.4" },
] as const;

function project(
  annotations: Readonly<Record<string, string>>,
  cloud: NonNullable<NodeObserved["facts"]>["addresses"] = ADDRESSES,
  taints = [UNINITIALIZED],
) {
  return projectOf(observe(node({ addresses: ADDRESSES, taints, annotations }), cloud));
}

function observe(
  one: NodeObserved["node"],
  addresses: NonNullable<NodeObserved["facts"]>["addresses"] = ADDRESSES,
): NodeObserved {
  const lookup = found({ addresses });
  if (lookup.kind !== "found") throw new Error("The fixture finds its instance.");
  return {
    node: one,
    provider: "p",
    policy: { newNodeGraceMs: 300_000, refreshPeriodMs: 300_000 },
    lookup,
    isRequested: true,
    facts: lookup.facts,
    labels: wantedLabels(one, lookup.facts),
    wasUninitialised: false,
    requested: undefined,
    twin: undefined,
  };
}

function projectOf(observed: NodeObserved) {
  const plan = planNode(observed, CREATED_AT);
  const result = { ...runResult({ runId: "r-1", startedAt: CREATED_AT }), applied: 0 };
  const { view } = concludeNode({ observed, plan, result, memory: {}, nowMs: CREATED_AT + 1 });
  return { plan, shown: view };
}

it.each([
  ["192.0.2.99", "ProvidedNodeIPUnknown", "192.0.2.99"],
  ["10.0.0.300", "ProvidedNodeIPInvalid", "10.0.0.300"],
])("a node whose kubelet asks for %s is shown to lack it (%s)", (annotation, code, address) => {
  const { plan, shown } = project({ [PROVIDED_NODE_IP_ANNOTATION]: annotation });
  expect(plan.next).toMatchObject({ kind: "failed", reason: { code } });
  expect(shown.drift).toBe("drifted");
  expect(shown.wanted?.addresses).toEqual([
    { type: "InternalIP", address },
    { type: "Hostname", address: "n1.cloud" },
    { type: "ExternalIP", address: "1.2.3.4" },
  ]);
});

it("a node whose cloud lists an address twice should have it once", () => {
  const { plan, shown } = project({}, [...ADDRESSES, ADDRESSES[1]]);
  expect(plan.next).toMatchObject({ kind: "settled", reason: { code: "AddressDuplicate" } });
  expect(shown.wanted?.addresses).toEqual(ADDRESSES);
});

it("a node whose cloud lists no address should keep those that it has", () => {
  expect(project({}, []).shown.wanted?.addresses).toEqual(ADDRESSES);
});

it("a held node is not compared, as its cloud was not asked", () => {
  expect(project({ [HOLD_ANNOTATION]: "racks" }).shown.drift).toBe("notChecked");
});

it("a node with an overridden taint is compared with everything that it still lacks", () => {
  const record = overrideText({ by: "Ada", why: "w", untilMs: 2 * CREATED_AT, intentId: "i" });
  const { shown } = project({ [OVERRIDE_ANNOTATION]: record }, ADDRESSES, []);
  expect(shown.drift).toBe("drifted");
  expect(shown.wanted).toMatchObject({ providerID: "p://i-1", zone: "z1" });
});

it("a node whose beta label a user removed is not shown as lacking it", () => {
  const successor = "topology.kubernetes.io/zone";
  const one = node({
    labels: { [successor]: "edited" },
    annotations: { [CLOUD_LABELS_ANNOTATION]: successor },
  });
  const { shown } = projectOf(observe(one));
  expect(shown.wanted?.labels).toEqual({
    "beta.kubernetes.io/instance-type": "m1",
    "node.kubernetes.io/instance-type": "m1",
    "failure-domain.beta.kubernetes.io/region": "r1",
    "topology.kubernetes.io/region": "r1",
  });
});
