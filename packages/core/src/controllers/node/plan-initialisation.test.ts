import type { Lookup } from "@cloudwright/provider-api";
import { describe, expect, it, test } from "vitest";
import { CLOUD_LABELS_ANNOTATION } from "../objects/node-object.ts";
import { CREATED_AT, facts, found, UNINITIALIZED } from "../testing/node-fixture.ts";
import type { NodeObserved } from "./observed.ts";
import { planNode } from "./plan.ts";
import {
  addressesOf,
  changesOf,
  fresh,
  observe,
  SIX,
  SIX_OWNED,
  THROTTLED,
} from "./testing/planned.ts";

function initialiseOf(observed: NodeObserved) {
  const change = planNode(observed, CREATED_AT).changes.find(
    ({ kind }) => kind === "node.initialise",
  );
  if (change?.kind !== "node.initialise") throw new Error("the plan does not initialise the node");
  return change.after;
}

describe("an uninitialised node", () => {
  it("gets its addresses first and everything else in one further write", () => {
    const plan = planNode(fresh(), CREATED_AT);
    expect(plan.changes.map(({ kind, after }) => [kind, after])).toEqual([
      ["node.addresses.write", { addresses: facts().addresses }],
      [
        "node.initialise",
        {
          providerID: "p://i-1",
          labels: SIX,
          annotations: { [CLOUD_LABELS_ANNOTATION]: SIX_OWNED },
          taints: [],
        },
      ],
    ]);
    expect(plan.next).toEqual({ kind: "settled", reason: { code: "Initialised" } });
    expect(plan.notTaken).toEqual([]);
  });

  it("keeps the kubelet's host name when the cloud has none", () => {
    const addresses = [{ type: "InternalIP", address: "10.0.0.1" } as const];
    expect(addressesOf(fresh({}, { addresses }))).toEqual(["InternalIP 10.0.0.1", "Hostname n1"]);
  });

  it("loses every taint with the uninitialized key and keeps the others in their order", () => {
    const first = { key: "a", value: "b", effect: "NoExecute" };
    const second = { key: "c", effect: "NoSchedule" };
    const taints = [
      first,
      UNINITIALIZED,
      second,
      { ...UNINITIALIZED, value: "x", effect: "NoExecute" },
    ];
    expect(initialiseOf(fresh({ taints })).taints).toEqual([first, second]);
  });

  test.each([
    ["p://i-1", "p://other"],
    ["p://z", undefined],
  ])("keeps its provider ID %s although the cloud says %s", (own, reported) => {
    expect(initialiseOf(fresh({ providerID: own }, { providerID: reported })).providerID).toBe(own);
  });

  it("gets no label with an empty value", () => {
    expect(initialiseOf(fresh({}, { zone: "", type: "" })).labels).toEqual({
      "failure-domain.beta.kubernetes.io/region": "r1",
      "topology.kubernetes.io/region": "r1",
    });
  });

  it("has wrong topology labels overwritten in both generations", () => {
    const labels = {
      "topology.kubernetes.io/zone": "old",
      "beta.kubernetes.io/instance-type": "old",
    };
    expect(initialiseOf(fresh({ labels })).labels).toEqual(SIX);
  });

  it("gets additional labels outside Kubernetes' own domains", () => {
    const additionalLabels = {
      "my.io/a": "1",
      "topology.kubernetes.io/region": "x",
      "foo.k8s.io/y": "1",
      "kubernetes.io/z": "1",
      "k8s.io/w": "1",
      "app.k8snio/b": "2",
      plain: "3",
    };
    expect(initialiseOf(fresh({}, { additionalLabels })).labels).toEqual({
      ...SIX,
      "my.io/a": "1",
      "app.k8snio/b": "2",
      plain: "3",
    });
  });

  it("keeps a label that somebody else set, and does not own it", () => {
    const observed = fresh(
      { labels: { "my.io/a": "keep" } },
      { additionalLabels: { "my.io/a": "new" } },
    );
    expect(initialiseOf(observed)).toMatchObject({
      labels: SIX,
      annotations: { [CLOUD_LABELS_ANNOTATION]: SIX_OWNED },
    });
  });

  it("has its own labels refreshed when it is tainted again", () => {
    const owned = { [CLOUD_LABELS_ANNOTATION]: `${SIX_OWNED},my.io/a,my.io/gone` };
    const labels = { ...SIX, "my.io/a": "1", "my.io/gone": "1" };
    const observed = fresh(
      { labels, annotations: owned },
      { type: "m2", additionalLabels: { "my.io/a": "2" } },
    );
    expect(initialiseOf(observed).labels).toMatchObject({
      "node.kubernetes.io/instance-type": "m2",
      "my.io/a": "2",
      "my.io/gone": null,
    });
  });

  it("is initialised without an ID if the cloud has none, and only once", () => {
    const without = { providerID: undefined, withoutIDs: true } as const;
    expect(initialiseOf(fresh({}, without)).providerID).toBeNull();
    const initialised = observe({ addresses: facts().addresses, labels: SIX }, found(without), {
      wasUninitialised: true,
    });
    expect(changesOf(initialised).map(([kind]) => kind)).not.toContain("node.initialise");
  });

  it("is initialised without addresses if the cloud lists none, and reports that", () => {
    const plan = planNode(fresh({}, { addresses: [] }), CREATED_AT);
    expect(plan.changes.map(({ kind }) => kind)).toEqual(["node.initialise"]);
    expect(plan.notTaken).toEqual([
      { step: "addresses", reason: { code: "AddressesMissing", provider: "p" } },
    ]);
  });

  it("needs no address write when it already has them", () => {
    expect(addressesOf(fresh({ addresses: facts().addresses }))).toBeUndefined();
  });

  it("whose cloud lists an address twice gets it once, and reports that", () => {
    const one = { type: "InternalIP", address: "10.0.0.1" } as const;
    const other = { type: "ExternalIP", address: "1.2.3.4" } as const;
    const plan = planNode(fresh({}, { addresses: [one, other, one] }), CREATED_AT);
    const own = { type: "Hostname", address: "n1" };
    expect(plan.changes.map(({ kind }) => kind)).toEqual([
      "node.addresses.write",
      "node.initialise",
    ]);
    expect(plan.changes[0]?.after).toEqual({ addresses: [one, other, own] });
    const reason = { code: "AddressDuplicate", ...one };
    expect(plan.notTaken).toEqual([{ step: "addresses", reason }]);
    expect(plan.next).toEqual({ kind: "settled", reason });
  });

  it("gets the cloud's order, even if it has the same addresses in another order", () => {
    const addresses = [...facts().addresses].reverse();
    expect(addressesOf(fresh({ addresses }))).toEqual([
      "Hostname n1.cloud",
      "InternalIP 10.0.0.1",
      "ExternalIP 1.2.3.4",
    ]);
  });
});

describe("an uninitialised node without a usable answer", () => {
  const ip = "alpha.kubernetes.io/provided-node-ip";

  const twice = { type: "InternalIP", address: "10.0.0.1" } as const;

  test.each<[string, NodeObserved, unknown]>([
    [
      "has no provider ID",
      fresh({}, { providerID: undefined }),
      { code: "ProviderIDMissing", provider: "p" },
    ],
    [
      "wants an IP that the cloud lacks",
      fresh({ annotations: { [ip]: "10.9.9.9" } }),
      {
        code: "ProvidedNodeIPUnknown",
        wanted: "10.9.9.9",
        cloudHas: ["n1.cloud", "10.0.0.1", "1.2.3.4"],
      },
    ],
    [
      "wants an IP of a cloud without addresses",
      fresh({ annotations: { [ip]: "10.0.0.1" } }, { addresses: [] }),
      { code: "ProvidedNodeIPUnknown", wanted: "10.0.0.1", cloudHas: [] },
    ],
    [
      "wants an IP that is its own host name and nothing to the cloud",
      fresh(
        {
          addresses: [{ type: "Hostname", address: "10.9.9.9" }],
          annotations: { [ip]: "10.9.9.9" },
        },
        { addresses: [twice] },
      ),
      { code: "ProvidedNodeIPUnknown", wanted: "10.9.9.9", cloudHas: ["10.0.0.1"] },
    ],
    [
      "wants nonsense",
      fresh({ annotations: { [ip]: "invalid" } }),
      {
        ...{ code: "ProvidedNodeIPInvalid", annotation: "invalid" },
        ...{ problem: "not an IP address", phrase: { code: "nodeIPNoAddress" } },
      },
    ],
    [
      "has a zone that is no label",
      fresh({}, { zone: "a b" }),
      {
        code: "LabelInvalid",
        key: "failure-domain.beta.kubernetes.io/zone",
        value: "a b",
        ...{ problem: expect.any(String), phrase: { code: "labelCharacter" } },
      },
    ],
    [
      "has a label that is none",
      fresh({}, { additionalLabels: { "a/b/c": "1" } }),
      {
        ...{ code: "LabelInvalid", key: "a/b/c", value: "1" },
        ...{ problem: expect.any(String), phrase: { code: "labelKeySlashes" } },
      },
    ],
    [
      "has the ID of another node",
      { ...fresh(), twin: "n2" },
      { code: "ProviderIDDuplicate", providerID: "p://i-1", other: "n2" },
    ],
    [
      "cannot be looked up",
      observe({ taints: [UNINITIALIZED] }, { kind: "failed", error: THROTTLED }),
      { code: "ProviderThrottled", provider: "p", operation: "GET", retryAfterMs: 3_000 },
    ],
  ])("that %s has nothing written and is retried", (_case, observed, reason) => {
    const plan = planNode(observed, CREATED_AT);
    expect(plan.changes).toEqual([]);
    expect(plan.next).toEqual({ kind: "failed", reason });
  });

  test.each<[Lookup, unknown]>([
    [{ kind: "unclaimed" }, { code: "InstanceUnclaimed", provider: "p" }],
    [
      { kind: "malformed", expected: "p://<id>" },
      { code: "ProviderIDMalformed", providerID: "q://1", expected: "p://<id>" },
    ],
  ])("whose answer is %j waits for a change of the node", (lookup, reason) => {
    const plan = planNode(
      observe({ taints: [UNINITIALIZED], providerID: "q://1" }, lookup),
      CREATED_AT,
    );
    expect(plan).toEqual({ changes: [], notTaken: [], next: { kind: "blocked", reason } });
  });

  it("of another cloud is left to that cloud's controller, without an alarm", () => {
    const shape = { taints: [UNINITIALIZED], providerID: "q://1" };
    expect(planNode(observe(shape, { kind: "foreign" }), CREATED_AT)).toEqual({
      changes: [],
      notTaken: [],
      next: {
        kind: "settled",
        reason: { code: "ForeignNode", providerID: "q://1", provider: "p" },
      },
    });
  });

  test.each([
    [0, 250],
    [1_000, 500],
    [5_000, 2_500],
    [60_000, 3_000],
    [299_999, 3_000],
  ])(
    "that the cloud does not list %i ms after its creation is looked up again in %i ms",
    (age, forMs) => {
      const observed = observe({ taints: [UNINITIALIZED] }, { kind: "notListed", requestId: "r1" });
      expect(planNode(observed, CREATED_AT + age)).toEqual({
        changes: [],
        notTaken: [
          { step: "initialise", reason: { code: "NewNodeGrace", untilMs: CREATED_AT + 300_000 } },
        ],
        next: {
          kind: "waiting",
          forMs,
          reason: {
            code: "InstanceNotFound",
            provider: "p",
            by: "name",
            value: "n1",
            requestId: "r1",
          },
        },
      });
    },
  );

  it("that the cloud does not list after the grace period has failed", () => {
    const observed = observe({ taints: [UNINITIALIZED] }, { kind: "notListed" });
    expect(planNode(observed, CREATED_AT + 300_000).next.kind).toBe("failed");
  });

  it("that is held stays as it is and says why", () => {
    const observed = fresh({ annotations: { "cloudwright.io/hold": "moving racks" } });
    expect(planNode(observed, CREATED_AT)).toEqual({
      changes: [],
      notTaken: [],
      next: { kind: "settled", reason: { code: "HeldByAnnotation", why: "moving racks" } },
    });
  });
});
