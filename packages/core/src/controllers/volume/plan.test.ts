import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { HOLD_ANNOTATION, HOLD_UNTIL_ANNOTATION } from "../hold/hold.ts";
import type { VolumeObserved } from "./observed.ts";
import { planVolume } from "./plan.ts";
import {
  claim,
  EXPRESSIONS,
  facts,
  found,
  LABELS,
  observed,
  storageClass,
  volume,
} from "./testing/volume-fixture.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const SET = { labels: LABELS, terms: [{ matchExpressions: EXPRESSIONS }] };
const BLOCK = volume({ ...SET, spec: { volumeMode: "Block" } });

/** Returns kind and content of the writes, the reason and what comes next. */
function summary(seen: Partial<VolumeObserved>) {
  const { changes, notTaken, next } = planVolume(observed(seen), NOW);
  return {
    changes: changes.map(({ kind, after }) => [kind, after]),
    notTaken: notTaken.map(({ step, reason }) => `${step}: ${reason.code}`),
    next: `${next.kind} ${next.reason.code}`,
  };
}

describe("labels and affinity", () => {
  it("are one write for a volume that has neither", () => {
    expect(summary({ volume: volume() })).toEqual({
      changes: [
        [
          "volume.labels.write",
          {
            labels: LABELS,
            nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: EXPRESSIONS }] } },
          },
        ],
      ],
      notTaken: [],
      next: "settled VolumeInStep",
    });
  });

  it("are not written if they are correct already", () => {
    expect(summary({})).toEqual({ changes: [], notTaken: [], next: "settled VolumeInStep" });
  });

  it("are labels alone beside an affinity of somebody else (V-16)", () => {
    const foreign = volume({
      terms: [{ matchExpressions: [{ key: "disk", operator: "In", values: ["ssd"] }] }],
    });
    expect(summary({ volume: foreign })).toEqual({
      changes: [["volume.labels.write", { labels: LABELS }]],
      notTaken: ["node affinity: VolumeAffinityKept"],
      next: "settled VolumeInStep",
    });
  });

  it("are the new labels and a conflict when the disk was moved (V-17)", () => {
    expect(summary({ facts: facts({ zone: "z9" }) })).toEqual({
      changes: [["volume.labels.write", { labels: { "topology.kubernetes.io/zone": "z9" } }]],
      notTaken: ["node affinity: VolumeAffinityConflict"],
      next: "blocked VolumeAffinityConflict",
    });
  });

  it("are none for a disk without a zone or region, and no empty term (V-12)", () => {
    const nowhere = facts({ zone: "", region: "" });
    expect(summary({ volume: volume(), facts: nowhere })).toEqual({
      changes: [],
      notTaken: [],
      next: "settled VolumeWithoutTopology",
    });
  });

  it("are trusted as a provisioner wrote them, although the cloud was not asked", () => {
    const provisioned = volume({
      labels: LABELS,
      annotations: { "pv.kubernetes.io/provisioned-by": "p.example" },
    });
    const { changes } = summary({ volume: provisioned, lookup: undefined, facts: undefined });
    expect(changes.map(([kind]) => kind)).toEqual(["volume.labels.write"]);
  });

  it.each<[string, Partial<VolumeObserved>, string]>([
    ["of another source", { disk: undefined }, "settled VolumeNotOurs"],
    ["of a placeholder", { disk: "placeholder-for-provisioning" }, "settled VolumeNotOurs"],
    ["of a disk that is not there", { lookup: { kind: "absent" } }, "failed VolumeNotFound"],
    [
      "whose disk could not be looked up",
      {
        lookup: {
          kind: "failed",
          error: new ProviderError("Unavailable", "Down.", { provider: "p", operation: "GET" }),
        },
      },
      "failed ProviderUnavailable",
    ],
    ["with a zone that is none", { facts: facts({ zone: "z1__" }) }, "blocked VolumeZoneInvalid"],
  ])("are not written to a volume %s", (_, seen, next) => {
    expect(summary({ volume: volume(), ...seen })).toEqual({ changes: [], notTaken: [], next });
  });
});

describe("growth", () => {
  const more = { claim: claim({ asks: "1500Mi", has: "1Gi" }) };
  const small = { facts: facts({ sizeGiB: 1 }), volume: volume({ ...SET, capacity: "1Gi" }) };

  it("is disk, volume, then claim, rounded up to whole GiB", () => {
    expect(summary({ ...small, ...more })).toEqual({
      changes: [
        ["volume.grow", { disk: "vol-1", sizeGiB: 2 }],
        ["volume.capacity.write", { storage: "2Gi" }],
        [
          "claim.status.write",
          { claim: "shop/data", capacity: null, condition: "FileSystemResizePending" },
        ],
      ],
      notTaken: [],
      next: "settled VolumeFileSystemPending",
    });
  });

  it("gives the claim of a block device its capacity at once", () => {
    const { changes, next } = summary({
      claim: claim({ asks: "20Gi" }),
      volume: BLOCK,
    });
    expect(changes.at(-1)).toEqual([
      "claim.status.write",
      { claim: "shop/data", capacity: "20Gi", condition: null },
    ]);
    expect(next).toBe("settled VolumeInStep");
  });

  it.each<[string, Partial<VolumeObserved>, string[]]>([
    [
      "after the disk grew",
      { facts: facts({ sizeGiB: 2 }) },
      ["volume.capacity.write", "claim.status.write"],
    ],
    [
      "after the volume was written",
      { facts: facts({ sizeGiB: 2 }), volume: volume({ ...SET, capacity: "2Gi" }) },
      ["claim.status.write"],
    ],
    [
      "when only the kubelet is left",
      {
        facts: facts({ sizeGiB: 2 }),
        volume: volume({ ...SET, capacity: "2Gi" }),
        claim: claim({ asks: "1500Mi", has: "1Gi", pending: true }),
      },
      [],
    ],
  ])("continues where it stopped, %s", (_, seen, kinds) => {
    const plan = summary({ ...small, ...more, ...seen });
    expect(plan.changes.map(([kind]) => kind)).toEqual(kinds);
    expect(plan.next).toBe("settled VolumeFileSystemPending");
  });

  it.each<[string, Partial<VolumeObserved>]>([
    ["a claim that asks for less", { claim: claim({ asks: "5Gi" }) }],
    ["a claim that has what it asks for", {}],
    ["no claim", { claim: undefined }],
    ["a volume that is larger than its claim says", { facts: facts({ sizeGiB: 50 }) }],
  ])("is nothing for %s", (_, seen) => {
    expect(summary(seen)).toEqual({ changes: [], notTaken: [], next: "settled VolumeInStep" });
  });

  it.each<[string, Partial<VolumeObserved>, string]>([
    ["its class forbids it", { storageClass: storageClass(false) }, "ClaimNotExpandable"],
    ["its class is gone", { storageClass: undefined }, "ClaimNotExpandable"],
    ["it has no class", { claim: claim({ asks: "20Gi", storageClass: "" }) }, "ClaimNotExpandable"],
    ["the cloud's disks do not grow", { grows: false }, "ProviderUnsupported"],
  ])("is reported as not happening when %s", (_, seen, code) => {
    expect(summary({ claim: claim({ asks: "20Gi" }), ...seen })).toEqual({
      changes: [],
      notTaken: [`growth: ${code}`],
      next: `blocked ${code}`,
    });
  });
});

it("of a disk that cannot be looked up is reported as not happening", () => {
  const lookup = { kind: "absent" } as const;
  expect(summary({ claim: claim({ asks: "20Gi" }), lookup })).toEqual({
    changes: [],
    notTaken: ["growth: VolumeNotFound"],
    next: "failed VolumeNotFound",
  });
});

describe("a held volume", () => {
  const held = { [HOLD_ANNOTATION]: "moving", [HOLD_UNTIL_ANNOTATION]: "2026-01-01T01:00:00Z" };
  const past = { [HOLD_ANNOTATION]: "moved", [HOLD_UNTIL_ANNOTATION]: "2025-12-31T00:00:00Z" };

  it("gets no write, and what would be written is reported", () => {
    expect(summary({ volume: volume({ annotations: held }) })).toEqual({
      changes: [],
      notTaken: ["volume.labels.write: VolumeLabelsDiffer"],
      next: "waiting HeldByAnnotation",
    });
  });

  it("is released when its hold is over", () => {
    expect(summary({ volume: volume({ annotations: past }) }).changes).toEqual([
      ["volume.release", { hold: null }],
    ]);
  });
});

describe("requested actions", () => {
  const by = { intentId: "i-1", by: "Ada", why: "INC-88" };
  const until = NOW + 60_000;

  it.each<[string, Partial<VolumeObserved>, string[], string[]]>([
    ["a hold", { requested: { ...by, action: { kind: "hold", until } } }, ["volume.hold"], []],
    [
      "a release of what is not held",
      { requested: { ...by, action: { kind: "release" } } },
      [],
      ["release: NothingToDo"],
    ],
    [
      "a retry",
      { requested: { ...by, action: { kind: "retry" } }, volume: volume() },
      ["volume.labels.write"],
      [],
    ],
    [
      "an override",
      { requested: { ...by, action: { kind: "override", until } } },
      [],
      ["override: WishRefused"],
    ],
  ])("%s", (_, ...[seen, kinds, notTaken]) => {
    const plan = summary({ lookup: found(), ...seen });
    expect(plan.changes.map(([kind]) => kind)).toEqual(kinds);
    expect(plan.notTaken).toEqual(notTaken);
  });
});
