import { describe, expect, it } from "vitest";
import { type AffinityState, affinityState, affinityWith, conflictOf } from "./affinity.ts";
import { volume } from "./testing/volume-fixture.ts";
import { BETA_ZONE_LABEL, type Requirement, ZONE_LABEL } from "./topology.ts";

const ZONE: Requirement = { key: ZONE_LABEL, operator: "In", values: ["z1"] };
const REGION: Requirement = {
  key: "topology.kubernetes.io/region",
  operator: "In",
  values: ["r1"],
};
const SSD = { key: "disk", operator: "In", values: ["ssd"] };
const GPU = { key: "gpu", operator: "Exists" };

function terms(...list: readonly (readonly object[])[]): object[] {
  return list.map((matchExpressions) => ({ matchExpressions }));
}

describe("the affinity of a new volume (spec/50 §4)", () => {
  it.each<
    [string, readonly object[] | undefined, readonly Requirement[], readonly object[] | undefined]
  >([
    ["one term when it has none", undefined, [ZONE, REGION], terms([ZONE, REGION])],
    ["one term when it has no terms", [], [ZONE], terms([ZONE])],
    [
      "all requirements in each term",
      terms([SSD], [GPU]),
      [ZONE, REGION],
      terms([SSD, ZONE, REGION], [GPU, ZONE, REGION]),
    ],
    [
      "them in a term without expressions",
      [{ matchFields: [SSD] }],
      [ZONE],
      [{ matchFields: [SSD], matchExpressions: [ZONE] }],
    ],
    [
      "nothing where any term speaks of any key",
      terms([SSD], [{ ...ZONE, values: ["z9"] }]),
      [ZONE, REGION],
      undefined,
    ],
    ["nothing, and no empty term, without requirements (VW-1)", undefined, [], undefined],
  ])("is %s", (_, ...[before, requirements, after]) => {
    const shape = before === undefined ? {} : { terms: before };
    expect(affinityWith(volume(shape), requirements)?.required.nodeSelectorTerms).toEqual(after);
  });
});

describe("how an affinity matches the disk", () => {
  it.each<[string, readonly object[] | undefined, readonly Requirement[], AffinityState]>([
    ["none yet", undefined, [ZONE], "missing"],
    ["to the zone", terms([ZONE]), [ZONE, REGION], "set"],
    ["to the zone by its old name", terms([{ ...ZONE, key: BETA_ZONE_LABEL }]), [ZONE], "set"],
    ["to fewer zones than the disk has", terms([ZONE]), [{ ...ZONE, values: ["z1", "z2"] }], "set"],
    ["to another zone", terms([{ ...ZONE, values: ["z9"] }]), [ZONE], "conflict"],
    [
      "to more zones than the disk has",
      terms([{ ...ZONE, values: ["z1", "z9"] }]),
      [ZONE],
      "conflict",
    ],
    ["to something else", terms([SSD]), [ZONE], "foreign"],
    ["to the zone in one of two terms", terms([ZONE], [SSD]), [ZONE], "foreign"],
    ["for a disk that is nowhere", undefined, [], "notNeeded"],
  ])("%s", (_, ...[before, requirements, state]) => {
    const shape = before === undefined ? {} : { terms: before };
    expect(affinityState(volume(shape), requirements)).toBe(state);
  });

  it("names what it requires and where the disk is", () => {
    const moved = volume({ terms: terms([{ ...ZONE, values: ["z1", "z2"] }]) });
    expect(conflictOf(moved, [{ ...ZONE, values: ["z9"] }])).toEqual({
      has: "z1, z2",
      wanted: "z9",
    });
  });
});
