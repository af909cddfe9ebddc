import { type InstanceFacts, type Lookup, ProviderError } from "@cloudwright/provider-api";
import {
  CREATED_AT,
  found,
  type NodeShape,
  node,
  UNINITIALIZED,
} from "../../testing/node-fixture.ts";
import { wantedLabels } from "../labels.ts";
import type { NodeObserved } from "../observed.ts";
import { planNode } from "../plan.ts";

export const POLICY = { newNodeGraceMs: 300_000, refreshPeriodMs: 300_000 };

export const SIX = {
  "beta.kubernetes.io/instance-type": "m1",
  "node.kubernetes.io/instance-type": "m1",
  "failure-domain.beta.kubernetes.io/zone": "z1",
  "topology.kubernetes.io/zone": "z1",
  "failure-domain.beta.kubernetes.io/region": "r1",
  "topology.kubernetes.io/region": "r1",
};

export const SIX_OWNED = [
  "beta.kubernetes.io/instance-type",
  "failure-domain.beta.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "node.kubernetes.io/instance-type",
  "topology.kubernetes.io/region",
  "topology.kubernetes.io/zone",
].join(",");

export const THROTTLED = new ProviderError("Throttled", "slow down", {
  provider: "p",
  operation: "GET",
  retryAfterMs: 3_000,
});

export function observe(
  shape: NodeShape,
  lookup: Lookup | undefined,
  more: Partial<NodeObserved> = {},
): NodeObserved {
  const one = node(shape);
  const seen = lookup?.kind === "found" ? lookup.facts : undefined;
  return {
    node: one,
    provider: "p",
    policy: POLICY,
    lookup,
    isRequested: true,
    facts: seen,
    labels: seen && wantedLabels(one, seen),
    wasUninitialised: false,
    requested: undefined,
    twin: undefined,
    ...more,
  };
}

export function fresh(shape: NodeShape = {}, instance: Partial<InstanceFacts> = {}): NodeObserved {
  return observe({ taints: [UNINITIALIZED], ...shape }, found(instance));
}

export function changesOf(observed: NodeObserved, nowMs = CREATED_AT) {
  return planNode(observed, nowMs).changes.map(({ kind, after }) => [kind, after]);
}

export function addressesOf(observed: NodeObserved) {
  const change = planNode(observed, CREATED_AT).changes.find(
    ({ kind }) => kind === "node.addresses.write",
  );
  return change?.kind === "node.addresses.write"
    ? change.after.addresses.map(({ type, address }) => `${type} ${address}`)
    : undefined;
}
