import type { InstanceFacts } from "@cloudwright/provider-api";
import { describe, expect, it, test } from "vitest";
import { planHash } from "../../model/plan.ts";
import { CREATED_AT, facts, found } from "../testing/node-fixture.ts";
import { planNode } from "./plan.ts";
import { changesOf, fresh, observe, SIX, THROTTLED } from "./testing/planned.ts";

describe("a node whose taint somebody removed before it was initialised", () => {
  const waits = { wasUninitialised: true };

  it("still gets its identity", () => {
    const plan = planNode(observe({ taints: [] }, found(), waits), CREATED_AT);
    expect(plan.changes.map(({ kind }) => kind)).toEqual([
      "node.addresses.write",
      "node.initialise",
    ]);
    expect(plan.changes[1]?.after).toMatchObject({
      providerID: "p://i-1",
      labels: SIX,
      taints: [],
    });
    expect(plan.next).toEqual({ kind: "settled", reason: { code: "Initialised" } });
  });

  it("also gets its labels when the kubelet knew the provider ID", () => {
    const shape = { providerID: "p://i-1", addresses: facts().addresses };
    expect(planNode(observe(shape, found(), waits), CREATED_AT).changes).toMatchObject([
      { kind: "node.initialise", after: { labels: SIX } },
    ]);
  });

  it("is looked up until the cloud answers", () => {
    const plan = planNode(observe({}, { kind: "failed", error: THROTTLED }, waits), CREATED_AT);
    expect(plan).toMatchObject({ changes: [], next: { kind: "failed" } });
    const unlisted = planNode(observe({}, { kind: "notListed" }, waits), CREATED_AT);
    expect(unlisted).toMatchObject({ changes: [], next: { kind: "waiting" } });
  });

  it("belongs to another controller if that has initialised it", () => {
    const shape = { providerID: "p://i-1", labels: SIX, addresses: facts().addresses };
    const plan = planNode(observe(shape, found(), waits), CREATED_AT);
    expect(plan).toMatchObject({ changes: [], next: { reason: { code: "InStep" } } });
    const down = planNode(observe(shape, { kind: "failed", error: THROTTLED }, waits), CREATED_AT);
    expect(down).toMatchObject({ changes: [], next: { kind: "failed" } });
  });
});

describe("a node that somebody else initialised", () => {
  it("reports what differs from the cloud", () => {
    const shape = { labels: { "topology.kubernetes.io/zone": "z9" }, addresses: facts().addresses };
    const plan = planNode(observe(shape, found()), CREATED_AT);
    const reason = {
      code: "IdentityLeftAlone",
      lacksProviderID: true,
      labels: Object.keys(SIX),
    };
    expect(plan).toEqual({
      changes: [],
      notTaken: [{ step: "identity", reason }],
      next: { kind: "settled", reason },
    });
  });

  it("gets the cloud's addresses and no label", () => {
    expect(changesOf(observe({ providerID: "p://i-1" }, found()))).toEqual([
      ["node.addresses.write", { addresses: facts().addresses }],
    ]);
  });

  test.each<[string, Record<string, string>, Record<string, string>]>([
    [
      "lost its successor label",
      { "failure-domain.beta.kubernetes.io/zone": "z9" },
      { "topology.kubernetes.io/zone": "z9" },
    ],
    [
      "has a wrong successor label",
      { "beta.kubernetes.io/instance-type": "m9", "node.kubernetes.io/instance-type": "bogus" },
      { "node.kubernetes.io/instance-type": "m9" },
    ],
  ])("that %s gets the beta label's value", (_case, labels, copied) => {
    const observed = observe({ labels, addresses: facts().addresses }, found());
    expect(changesOf(observed)).toEqual([
      ["node.labels.write", { labels: copied, annotations: {} }],
    ]);
  });

  it("keeps a successor label that has no beta label beside it", () => {
    const labels = { "topology.kubernetes.io/zone": "by hand" };
    expect(changesOf(observe({ labels, addresses: facts().addresses }, found()))).toEqual([]);
  });
});

it("plans equal writes under one hash and different ones under another", async () => {
  const hash = (instance: Partial<InstanceFacts>) =>
    planHash(planNode(fresh({}, instance), CREATED_AT));
  expect(await hash({ asOf: 5 })).toBe(await hash({ asOf: 6 }));
  expect(await hash({ zone: "z2" })).not.toBe(await hash({}));
});
