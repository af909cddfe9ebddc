import { type InstanceFacts, type Lookup, ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it, test } from "vitest";
import { planHash } from "../../model/plan.ts";
import { CLOUD_LABELS_ANNOTATION } from "../objects/node-object.ts";
import {
  CREATED_AT,
  facts,
  found,
  type NodeShape,
  node,
  UNINITIALIZED,
} from "../testing/node-fixture.ts";
import { wantedLabels } from "./labels.ts";
import type { NodeObserved } from "./observed.ts";
import { planNode } from "./plan.ts";

const POLICY = { newNodeGraceMs: 300_000, refreshPeriodMs: 300_000 };
const SIX = {
  "beta.kubernetes.io/instance-type": "m1",
  "node.kubernetes.io/instance-type": "m1",
  "failure-domain.beta.kubernetes.io/zone": "z1",
  "topology.kubernetes.io/zone": "z1",
  "failure-domain.beta.kubernetes.io/region": "r1",
  "topology.kubernetes.io/region": "r1",
};
const SIX_OWNED = [
  "beta.kubernetes.io/instance-type",
  "failure-domain.beta.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "node.kubernetes.io/instance-type",
  "topology.kubernetes.io/region",
  "topology.kubernetes.io/zone",
].join(",");
const THROTTLED = new ProviderError("Throttled", "slow down", {
  provider: "p",
  operation: "GET",
  retryAfterMs: 3_000,
});

function observe(
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

function fresh(shape: NodeShape = {}, instance: Partial<InstanceFacts> = {}): NodeObserved {
  return observe({ taints: [UNINITIALIZED], ...shape }, found(instance));
}

/** A node that we initialised from `facts()`, with the addresses of that. */
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

function changesOf(observed: NodeObserved, nowMs = CREATED_AT) {
  return planNode(observed, nowMs).changes.map(({ kind, after }) => [kind, after]);
}

function initialiseOf(observed: NodeObserved) {
  const change = planNode(observed, CREATED_AT).changes.find(
    ({ kind }) => kind === "node.initialise",
  );
  if (change?.kind !== "node.initialise") throw new Error("the plan does not initialise the node");
  return change.after;
}

function addressesOf(observed: NodeObserved) {
  const change = planNode(observed, CREATED_AT).changes.find(
    ({ kind }) => kind === "node.addresses.write",
  );
  return change?.kind === "node.addresses.write"
    ? change.after.addresses.map(({ type, address }) => `${type} ${address}`)
    : undefined;
}

describe("an uninitialised node", () => {
  it("gets its addresses first and then everything else in one write", () => {
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

  it("loses every taint of the uninitialized key and keeps the others in their order", () => {
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
  ])("keeps its provider ID %s though the cloud says %s", (own, reported) => {
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

  it("has its own labels refreshed when the taint is put on again", () => {
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

  it("is initialised without an ID where the cloud has none, and only once", () => {
    const without = { providerID: undefined, withoutIDs: true } as const;
    expect(initialiseOf(fresh({}, without)).providerID).toBeNull();
    const initialised = observe({ addresses: facts().addresses, labels: SIX }, found(without), {
      wasUninitialised: true,
    });
    expect(changesOf(initialised).map(([kind]) => kind)).not.toContain("node.initialise");
  });

  it("is initialised without addresses when the cloud lists none, and says so", () => {
    const plan = planNode(fresh({}, { addresses: [] }), CREATED_AT);
    expect(plan.changes.map(({ kind }) => kind)).toEqual(["node.initialise"]);
    expect(plan.notTaken).toEqual([
      { step: "addresses", reason: { code: "AddressesMissing", provider: "p" } },
    ]);
  });

  it("needs no write of addresses that it has already", () => {
    expect(addressesOf(fresh({ addresses: facts().addresses }))).toBeUndefined();
  });

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
  ])("that %s has nothing written and is tried again", (_case, observed, reason) => {
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
  ])("that is answered %j waits for a change of the node", (lookup, reason) => {
    const plan = planNode(
      observe({ taints: [UNINITIALIZED], providerID: "q://1" }, lookup),
      CREATED_AT,
    );
    expect(plan).toEqual({ changes: [], notTaken: [], next: { kind: "blocked", reason } });
  });

  it("of another cloud is left to that cloud's controller, and alarms nobody", () => {
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

  it("whose cloud lists an address twice gets it once, and says so", () => {
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

  it("gets the cloud's order, also where it has the same addresses in another one", () => {
    const addresses = [...facts().addresses].reverse();
    expect(addressesOf(fresh({ addresses }))).toEqual([
      "Hostname n1.cloud",
      "InternalIP 10.0.0.1",
      "ExternalIP 1.2.3.4",
    ]);
  });

  test.each([
    [0, 250],
    [1_000, 500],
    [5_000, 2_500],
    [60_000, 3_000],
    [299_999, 3_000],
  ])(
    "that the cloud does not list is looked for again, %i ms after its creation in %i ms",
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

  it("that the cloud does not list after its grace has failed", () => {
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

describe("a node that we initialised", () => {
  it("is left alone while it is in sync with the cloud", () => {
    expect(planNode(ours(), CREATED_AT)).toEqual({
      changes: [],
      notTaken: [],
      next: { kind: "settled", reason: { code: "InStep" } },
    });
  });

  it("with two addresses of one type is not written again", () => {
    const addresses = [
      { type: "InternalIP", address: "10.0.0.1" },
      { type: "InternalIP", address: "fd00::1" },
      { type: "Hostname", address: "n1" },
    ] as const;
    expect(changesOf(ours({ addresses }, { addresses: addresses.slice(0, 2) }))).toEqual([]);
  });

  describe("of whose addresses the cloud changes the order", () => {
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

    it("is written when one address is another one by now", () => {
      const other = { type: "InternalIP", address: "10.0.0.9" } as const;
      const shape = { addresses: [four, six, own] };
      expect(addressesOf(ours(shape, { addresses: [six, other] }))).toEqual([
        "InternalIP fd00::1",
        "InternalIP 10.0.0.9",
        "Hostname n1",
      ]);
    });
  });

  it("follows the cloud where it lists an address twice, and says so", () => {
    const one = { type: "InternalIP", address: "10.0.0.8" } as const;
    const plan = planNode(ours({}, { addresses: [one, one] }), CREATED_AT);
    expect(plan.changes.map(({ after }) => after)).toEqual([
      { addresses: [one, { type: "Hostname", address: "n1.cloud" }] },
    ]);
    expect(plan.next).toEqual({ kind: "settled", reason: { code: "AddressDuplicate", ...one } });
  });

  it("does not claim to agree with the cloud where a user took a label over", () => {
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

  it("keeps its addresses when the cloud lists none, and is not in sync", () => {
    const plan = planNode(ours({}, { addresses: [] }), CREATED_AT);
    expect(plan.changes).toEqual([]);
    expect(plan.notTaken).toEqual([
      { step: "addresses", reason: { code: "AddressesMissing", provider: "p" } },
    ]);
  });

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
  ])("has its label %s put right when it becomes %s", (key, value) => {
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
    "that %s gets the successor of a beta label of which the cloud says nothing",
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

  it("keeps a label of Kubernetes' own that its kubelet calls ours", () => {
    const role = "node-role.kubernetes.io/control-plane";
    const observed = ours({
      labels: { ...SIX, [role]: "" },
      annotations: { [CLOUD_LABELS_ANNOTATION]: `${SIX_OWNED},${role}` },
    });
    expect(changesOf(observed)).toEqual([
      ["node.labels.write", { labels: {}, annotations: { [CLOUD_LABELS_ANNOTATION]: SIX_OWNED } }],
    ]);
  });

  it("follows the cloud's own labels and leaves those of others alone", () => {
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

  it("gets its good labels though another one is invalid", () => {
    const plan = planNode(ours({}, { type: "m2", additionalLabels: { bad: "a b" } }), CREATED_AT);
    expect(plan.changes.map(({ kind }) => kind)).toEqual(["node.labels.write"]);
    expect(plan.notTaken.map(({ step, reason }) => [step, reason.code])).toEqual([
      ["labels", "LabelInvalid"],
    ]);
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
  ])("answered %j is not written to", (lookup, kind, code) => {
    const observed = observe({ providerID: "p://i-1", labels: SIX }, lookup);
    const plan = planNode(observed, CREATED_AT);
    expect(plan.changes).toEqual([]);
    expect(plan.next).toMatchObject({ kind, reason: { code } });
  });
});

describe("a node whose taint somebody lifted before it was initialised", () => {
  const waits = { wasUninitialised: true };

  it("gets its identity all the same", () => {
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

  it("gets its labels, too, where the kubelet knew the provider ID", () => {
    const shape = { providerID: "p://i-1", addresses: facts().addresses };
    expect(planNode(observe(shape, found(), waits), CREATED_AT).changes).toMatchObject([
      { kind: "node.initialise", after: { labels: SIX } },
    ]);
  });

  it("is looked for until the cloud answers", () => {
    const plan = planNode(observe({}, { kind: "failed", error: THROTTLED }, waits), CREATED_AT);
    expect(plan).toMatchObject({ changes: [], next: { kind: "failed" } });
    const unlisted = planNode(observe({}, { kind: "notListed" }, waits), CREATED_AT);
    expect(unlisted).toMatchObject({ changes: [], next: { kind: "waiting" } });
  });

  it("is another controller's when that has initialised it", () => {
    const shape = { providerID: "p://i-1", labels: SIX, addresses: facts().addresses };
    const plan = planNode(observe(shape, found(), waits), CREATED_AT);
    expect(plan).toMatchObject({ changes: [], next: { reason: { code: "InStep" } } });
    const down = planNode(observe(shape, { kind: "failed", error: THROTTLED }, waits), CREATED_AT);
    expect(down).toMatchObject({ changes: [], next: { kind: "failed" } });
  });
});

describe("a node that somebody else initialised", () => {
  it("says what of it is not the cloud's", () => {
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

it("plans the same writes under the same hash and others under another", async () => {
  const hash = (instance: Partial<InstanceFacts>) =>
    planHash(planNode(fresh({}, instance), CREATED_AT));
  expect(await hash({ asOf: 5 })).toBe(await hash({ asOf: 6 }));
  expect(await hash({ zone: "z2" })).not.toBe(await hash({}));
});
