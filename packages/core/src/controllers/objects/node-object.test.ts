import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import type { Node } from "../../kube/client.ts";
import type { Reason } from "../../model/reason.ts";
import { type LookupWithoutFacts, reasonOfLookup } from "./lookup-reason.ts";
import {
  hasTaint,
  instanceRefOf,
  isUninitialised,
  NODE_INDEXES,
  NODES_BY_PROVIDER,
  NODES_BY_PROVIDER_ID,
  otherOwnerOf,
  providerIdOf,
  type ReadyStatus,
  readyOf,
  SHUTDOWN_TAINT,
  UNINITIALIZED_TAINT,
} from "./node-object.ts";
import { cloudFacts, nodeRecord } from "./node-record.ts";
import { annotationOf, createdAtOf, isDeleting, valueAt } from "./object-meta.ts";
import { podCidrsOf } from "./pod-cidrs.ts";

function node(over: Partial<Node> = {}): Node {
  return { metadata: { name: "w-9", uid: "u-9" }, ...over };
}

function withID(providerID: string | undefined): Node {
  return node(providerID === undefined ? {} : { spec: { providerID } });
}

describe("a Node's provider ID", () => {
  it("counts as absent when it is empty, as in the API", () => {
    expect(providerIdOf(node({ spec: { providerID: "" } }))).toBeUndefined();
    expect(instanceRefOf(node({ spec: { providerID: "" } }))).toEqual({
      nodeName: "w-9",
      providerID: undefined,
    });
  });

  it.each<[providerID: string | undefined, other: ReturnType<typeof otherOwnerOf>]>([
    [undefined, undefined],
    ["sandbox://i-1", undefined],
    ["sandbox:///zone/i-1", undefined],
    ["openstack://i-1", "foreign"],
    ["sandbox2://i-1", "foreign"],
    ["Sandbox://i-1", "foreign"],
    ["i-1", "malformed"],
    ["://i-1", "malformed"],
    ["sandbox:/i-1", "malformed"],
  ])("%s means for the provider sandbox: %s", (providerID, other) => {
    expect(otherOwnerOf(withID(providerID), "sandbox")).toBe(other);
  });

  it("indexes it by itself and by its provider; without one it is in neither index", () => {
    const indexed = (providerID: string | undefined) =>
      [NODES_BY_PROVIDER_ID, NODES_BY_PROVIDER].map((index) =>
        NODE_INDEXES[index]?.(withID(providerID)),
      );
    expect(indexed("sandbox://i-1")).toEqual([["sandbox://i-1"], ["sandbox"]]);
    expect(indexed("i-1")).toEqual([["i-1"], []]);
    expect(indexed(undefined)).toEqual([[], []]);
  });
});

describe("a Node's taints and conditions", () => {
  it("mark it as uninitialised by the key alone, whatever the value and effect (spec/10 §1)", () => {
    const tainted = (key: string, effect = "NoSchedule") =>
      node({ spec: { taints: [{ key, effect, value: "x" }] } });
    expect(isUninitialised(tainted(UNINITIALIZED_TAINT, "NoExecute"))).toBe(true);
    expect(isUninitialised(tainted(SHUTDOWN_TAINT))).toBe(false);
    expect(hasTaint(tainted(SHUTDOWN_TAINT), SHUTDOWN_TAINT)).toBe(true);
    expect(isUninitialised(node())).toBe(false);
  });

  it.each<[status: string | undefined, read: ReadyStatus]>([
    ["True", "True"],
    ["False", "False"],
    ["Unknown", "Unknown"],
    ["Perhaps", "Unknown"],
    [undefined, "Missing"],
  ])("with Ready %s mean that it is %s", (status, read) => {
    const others = { type: "DiskPressure", status: "True" };
    const ready = status === undefined ? [] : [{ type: "Ready", status }];
    const conditions = [others, ...ready];
    expect(readyOf(node({ status: { conditions } })).status).toBe(read);
  });

  it("show since when that is so, if the time can be read", () => {
    const since = (lastTransitionTime: unknown) => {
      const conditions = [{ type: "Ready", status: "True", lastTransitionTime }] as never;
      return readyOf(node({ status: { conditions } })).since;
    };
    expect(since("2026-11-24T14:30:00Z")).toBe(Date.UTC(2026, 10, 24, 14, 30));
    expect(since("yesterday")).toBeUndefined();
    expect(since(undefined)).toBeUndefined();
  });
});

it.each<[spec: NonNullable<Node["spec"]>, ranges: readonly string[]]>([
  [{}, []],
  [{ podCIDR: "" }, []],
  [{ podCIDR: "10.0.3.0/24" }, ["10.0.3.0/24"]],
  [
    { podCIDR: "10.0.3.0/24", podCIDRs: ["10.0.3.0/24", "fd00:3::/64"] },
    ["10.0.3.0/24", "fd00:3::/64"],
  ],
  [{ podCIDR: "10.0.3.0/24", podCIDRs: [] }, ["10.0.3.0/24"]],
])("a Node with %j has the pod ranges %j", (spec, ranges) => {
  expect(podCidrsOf(node({ spec }))).toEqual(ranges);
});

describe("what is read from any object's metadata", () => {
  it("is found under its own keys only, even if a key is a name that every record inherits", () => {
    expect(valueAt({ constructor: "mine" }, "constructor")).toBe("mine");
    expect(valueAt({}, "constructor")).toBeNull();
    expect(annotationOf(node(), "toString")).toBeUndefined();
  });

  it("is its creation time, or 0 if that cannot be read", () => {
    const created = (creationTimestamp: unknown) =>
      createdAtOf({ metadata: { creationTimestamp } } as never);
    expect(created("2026-11-24T14:30:00Z")).toBe(Date.UTC(2026, 10, 24, 14, 30));
    expect([created(undefined), created("no time")]).toEqual([0, 0]);
  });

  it("shows that it is being deleted while a finalizer keeps it", () => {
    expect(isDeleting(node())).toBe(false);
    const deletionTimestamp = "2026-11-24T14:30:00Z";
    expect(isDeleting({ metadata: { deletionTimestamp } })).toBe(true);
  });
});

describe("what the pages show of a Node", () => {
  it("is its topology by the current labels, or by the old ones if it has none of the current ones", () => {
    const shown = (labels: Record<string, string>) =>
      nodeRecord(node({ metadata: { name: "w-9", labels } }), [], 1).facts;
    expect(
      shown({
        "topology.kubernetes.io/zone": "z1",
        "failure-domain.beta.kubernetes.io/zone": "old",
        "beta.kubernetes.io/instance-type": "m1",
      }),
    ).toMatchObject({ zone: "z1", instanceType: "m1" });
    expect(shown({})).not.toHaveProperty("zone");
    expect(shown({ "topology.kubernetes.io/zone": "" })).toMatchObject({ zone: "" });
  });

  it("has no value for a taint without one, and nothing that is not known", () => {
    const taints = [
      { key: "a", effect: "NoSchedule" },
      { key: "b", effect: "NoExecute", value: "x", timeAdded: "2026" },
    ];
    const record = nodeRecord(node({ spec: { taints } }), [], 7);
    expect(record.taints).toEqual([
      { key: "a", effect: "NoSchedule" },
      { key: "b", effect: "NoExecute", value: "x" },
    ]);
    expect(record).toMatchObject({ ready: "Missing", facts: { asOf: 7, addresses: [] } });
    for (const name of ["readySince", "kubeletVersion", "resourceVersion"])
      expect(record).not.toHaveProperty(name);
  });

  it("has the cloud's explanation, shortened to what a record allows, and its request id", () => {
    const facts = {
      providerID: "sandbox://i-1",
      name: "w-9",
      type: "m1",
      zone: "z1",
      region: "r1",
      addresses: [],
      additionalLabels: {},
      power: "running",
      asOf: 3,
    } as const;
    const lookup = { kind: "found", facts, requestId: "r-7", explained: "x".repeat(300) } as const;
    const shown = cloudFacts(facts, lookup);
    expect(shown).toMatchObject({ requestId: "r-7", instanceType: "m1", power: "running" });
    expect(shown.explained).toHaveLength(256);
    expect(cloudFacts(facts, undefined)).not.toHaveProperty("requestId");
  });
});

describe("a lookup without facts", () => {
  const BY_ID = { nodeName: "w-9", providerID: "sandbox://i-1" };
  const PROOF = { by: "name", cloudShowsOthers: true, at: 1 } as const;
  const BY_NAME = { nodeName: "w-9", providerID: undefined };
  const error = new ProviderError("TimedOut", "late", {
    provider: "sandbox",
    operation: "GET /v1/instances",
    retryAfterMs: 9,
  });

  it.each<[what: string, lookup: LookupWithoutFacts, Partial<Reason>]>([
    [
      "proves that the machine is absent, with the request that did",
      { kind: "absent", proof: { ...PROOF, requestId: "r-7" } },
      { code: "InstanceNotFound", by: "providerID", value: "sandbox://i-1", requestId: "r-7" },
    ],
    [
      "does not have it in a list",
      { kind: "notListed", requestId: "r-8" },
      { code: "InstanceNotFound", requestId: "r-8" },
    ],
    ["is not claimed by the provider", { kind: "unclaimed" }, { code: "InstanceUnclaimed" }],
    [
      "is another cloud's machine",
      { kind: "foreign" },
      { code: "ForeignNode", providerID: "sandbox://i-1" },
    ],
    [
      "has an ID of no form that the provider knows",
      { kind: "malformed", expected: "sandbox://<id>" },
      { code: "ProviderIDMalformed", expected: "sandbox://<id>" },
    ],
    ["failed", { kind: "failed", error }, { code: "ProviderTimedOut", afterMs: 9 }],
  ])("%s", (_what, lookup, reason) => {
    expect(reasonOfLookup(lookup, BY_ID, "sandbox")).toMatchObject(reason);
  });

  it("was made by name if the Node has no provider ID", () => {
    const lookup = { kind: "absent", proof: PROOF } as const;
    expect(reasonOfLookup(lookup, BY_NAME, "sandbox")).toMatchObject({ by: "name", value: "w-9" });
  });
});
