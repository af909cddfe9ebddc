import type { InstanceFacts, Lookup } from "@cloudwright/provider-api";
import { describe, expect, it, test } from "vitest";
import { CLOUD_LABELS_ANNOTATION } from "../objects/node-object.ts";
import { CREATED_AT, facts, found, type NodeShape } from "../testing/node-fixture.ts";
import type { NodeObserved } from "./observed.ts";
import { planNode } from "./plan.ts";
import { addressesOf, changesOf, observe, SIX, SIX_OWNED, THROTTLED } from "./testing/planned.ts";

/** Returns a node that we initialised from `facts()`, with those addresses. */
function ours(shape: NodeShape = {}, instance: Partial<InstanceFacts> = {}): NodeObserved {
  return observe(
    {
      providerID: "p://i-1",
      addresses: facts().addresses,
      ...shape,
      labels: shape.labels ?? SIX,
      annotations: { [CLOUD_LABELS_ANNOTATION]: SIX_OWNED, ...shape.annotations },
    },
    found(instance),
  );
}

describe("the addresses of a node that we initialised", () => {
  it("with two addresses of one type is not written again", () => {
    const addresses = [
      { type: "InternalIP", address: "10.0.0.1" },
      { type: "InternalIP", address: "fd00::1" },
      { type: "Hostname", address: "n1" },
    ] as const;
    expect(changesOf(ours({ addresses }, { addresses: addresses.slice(0, 2) }))).toEqual([]);
  });

  describe("whose order the cloud changes", () => {
    const [four, six] = [
      { type: "InternalIP", address: "10.0.0.1" },
      { type: "InternalIP", address: "fd00::1" },
    ] as const;
    const out = { type: "ExternalIP", address: "1.2.3.4" } as const;
    const own = { type: "Hostname", address: "n1" } as const;
    const ip = "alpha.kubernetes.io/provided-node-ip";

    it.each([
      ["as it likes", {}],
      ["and the kubelet prefers one", { [ip]: "10.0.0.1" }],
    ])("is not written again, %s", (_how, annotations) => {
      const has = ip in annotations ? [four, out, own] : [four, six, out, own];
      const lists = ip in annotations ? [out, six, four] : [out, six, four];
      expect(changesOf(ours({ addresses: has, annotations }, { addresses: lists }))).toEqual([]);
    });

    it("is written when the kubelet prefers another order", () => {
      const annotations = { [ip]: "fd00::1,10.0.0.1" };
      const shape = { addresses: [four, six, out, own], annotations };
      expect(addressesOf(ours(shape, { addresses: [four, six, out] }))).toEqual([
        "InternalIP fd00::1",
        "InternalIP 10.0.0.1",
        "ExternalIP 1.2.3.4",
        "Hostname n1",
      ]);
    });

    it("is written when one address has changed", () => {
      const other = { type: "InternalIP", address: "10.0.0.9" } as const;
      const shape = { addresses: [four, six, own] };
      expect(addressesOf(ours(shape, { addresses: [six, other] }))).toEqual([
        "InternalIP fd00::1",
        "InternalIP 10.0.0.9",
        "Hostname n1",
      ]);
    });
  });

  it("follows the cloud when it lists an address twice, and reports that", () => {
    const one = { type: "InternalIP", address: "10.0.0.8" } as const;
    const plan = planNode(ours({}, { addresses: [one, one] }), CREATED_AT);
    expect(plan.changes.map(({ after }) => after)).toEqual([
      { addresses: [one, { type: "Hostname", address: "n1.cloud" }] },
    ]);
    expect(plan.next).toEqual({ kind: "settled", reason: { code: "AddressDuplicate", ...one } });
  });

  it("keeps its addresses when the cloud lists none, and is not in sync", () => {
    const plan = planNode(ours({}, { addresses: [] }), CREATED_AT);
    expect(plan.changes).toEqual([]);
    expect(plan.notTaken).toEqual([
      { step: "addresses", reason: { code: "AddressesMissing", provider: "p" } },
    ]);
  });
});

describe("a node that we initialised", () => {
  it("is not written to while it is in sync with the cloud", () => {
    expect(planNode(ours(), CREATED_AT)).toEqual({
      changes: [],
      notTaken: [],
      next: { kind: "settled", reason: { code: "InStep" } },
    });
  });

  it("does not claim to match the cloud where a user took over a label", () => {
    const { "failure-domain.beta.kubernetes.io/zone": _, ...rest } = SIX;
    const labels = { ...rest, "topology.kubernetes.io/zone": "by-hand" };
    expect(planNode(ours({ labels }), CREATED_AT)).toEqual({
      changes: [],
      notTaken: [],
      next: {
        kind: "settled",
        reason: {
          code: "IdentityLeftAlone",
          lacksProviderID: false,
          labels: ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
        },
      },
    });
  });

  it("is judged by the facts last seen when the cloud cannot be asked", () => {
    const { "topology.kubernetes.io/zone": _, ...labels } = SIX;
    const observed = { ...ours({ labels }), lookup: { kind: "failed", error: THROTTLED } } as const;
    const plan = planNode(observed, CREATED_AT);
    expect(plan.changes.map(({ after }) => after)).toEqual([
      { labels: { "topology.kubernetes.io/zone": "z1" }, annotations: {} },
    ]);
    expect(plan.next.kind).toBe("failed");
  });

  test.each<[Lookup, string, string]>([
    [{ kind: "unclaimed" }, "settled", "InstanceUnclaimed"],
    [{ kind: "foreign" }, "settled", "ForeignNode"],
    [{ kind: "notListed" }, "waiting", "InstanceNotFound"],
    [{ kind: "malformed", expected: "p://<id>" }, "blocked", "ProviderIDMalformed"],
  ])("whose answer is %j is not written to", (lookup, kind, code) => {
    const observed = observe({ providerID: "p://i-1", labels: SIX }, lookup);
    const plan = planNode(observed, CREATED_AT);
    expect(plan.changes).toEqual([]);
    expect(plan.next).toMatchObject({ kind, reason: { code } });
  });
});

describe("the labels of a node that we initialised", () => {
  it("follows a resize with both type labels", () => {
    expect(changesOf(ours({}, { type: "m2" }))).toEqual([
      [
        "node.labels.write",
        {
          labels: {
            "beta.kubernetes.io/instance-type": "m2",
            "node.kubernetes.io/instance-type": "m2",
          },
          annotations: {},
        },
      ],
    ]);
  });

  it.each([
    ["topology.kubernetes.io/zone", undefined],
    ["topology.kubernetes.io/region", "bogus"],
    ["node.kubernetes.io/instance-type", "bogus"],
  ])("has its label %s corrected when it becomes %s", (key, value) => {
    const { [key]: _, ...rest } = SIX as Record<string, string>;
    const labels = value === undefined ? rest : { ...rest, [key]: value };
    const right = (SIX as Record<string, string>)[key];
    expect(changesOf(ours({ labels }))).toEqual([
      ["node.labels.write", { labels: { [key]: right }, annotations: {} }],
    ]);
  });

  it.each(["z1", "edited"])(
    "is left without a beta label that a user removed beside %s",
    (zone) => {
      const { "failure-domain.beta.kubernetes.io/zone": _, ...labels } = SIX;
      const edited = { ...labels, "topology.kubernetes.io/zone": zone };
      expect(changesOf(ours({ labels: edited }))).toEqual([]);
    },
  );

  it("gets both labels of a pair back", () => {
    const { "failure-domain.beta.kubernetes.io/zone": beta, ...rest } = SIX;
    const { "topology.kubernetes.io/zone": successor, ...labels } = rest;
    expect(changesOf(ours({ labels }))).toEqual([
      [
        "node.labels.write",
        {
          labels: {
            "failure-domain.beta.kubernetes.io/zone": beta,
            "topology.kubernetes.io/zone": successor,
          },
          annotations: {},
        },
      ],
    ]);
  });

  it.each([
    ["lost it", undefined],
    ["has another one", "z8"],
  ])(
    "that %s gets the successor of a beta label for which the cloud has no value",
    (_, successor) => {
      const beta = { "failure-domain.beta.kubernetes.io/zone": "z9" };
      const labels = {
        ...beta,
        ...(successor === undefined ? {} : { "topology.kubernetes.io/zone": successor }),
      };
      expect(changesOf(ours({ labels }, { zone: "", region: "", type: "" }))).toEqual([
        ["node.labels.write", { labels: { "topology.kubernetes.io/zone": "z9" }, annotations: {} }],
      ]);
    },
  );

  it("keeps a label of Kubernetes' own that its kubelet claims to be ours", () => {
    const role = "node-role.kubernetes.io/control-plane";
    const observed = ours({
      labels: { ...SIX, [role]: "" },
      annotations: { [CLOUD_LABELS_ANNOTATION]: `${SIX_OWNED},${role}` },
    });
    expect(changesOf(observed)).toEqual([
      ["node.labels.write", { labels: {}, annotations: { [CLOUD_LABELS_ANNOTATION]: SIX_OWNED } }],
    ]);
  });

  it("follows the cloud's own labels and does not touch those of others", () => {
    const observed = ours(
      {
        labels: { ...SIX, "my.io/a": "1", "my.io/gone": "1", theirs: "x" },
        annotations: { [CLOUD_LABELS_ANNOTATION]: `${SIX_OWNED},my.io/a,my.io/gone` },
      },
      { additionalLabels: { "my.io/a": "2", "my.io/new": "3", theirs: "y" } },
    );
    const owned = SIX_OWNED.replace(",node.", ",my.io/a,my.io/new,node.");
    expect(changesOf(observed)).toEqual([
      [
        "node.labels.write",
        {
          labels: { "my.io/a": "2", "my.io/new": "3", "my.io/gone": null },
          annotations: { [CLOUD_LABELS_ANNOTATION]: owned },
        },
      ],
    ]);
  });

  it("keeps a topology label whose fact the cloud no longer reports", () => {
    expect(changesOf(ours({}, { zone: "" }))).toEqual([]);
  });

  it("gets its valid labels although another one is invalid", () => {
    const plan = planNode(ours({}, { type: "m2", additionalLabels: { bad: "a b" } }), CREATED_AT);
    expect(plan.changes.map(({ kind }) => kind)).toEqual(["node.labels.write"]);
    expect(plan.notTaken.map(({ step, reason }) => [step, reason.code])).toEqual([
      ["labels", "LabelInvalid"],
    ]);
  });
});
