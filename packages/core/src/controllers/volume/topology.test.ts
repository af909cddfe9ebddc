import type { VolumeFacts } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { facts, volume } from "./testing/volume-fixture.ts";
import {
  BETA_REGION_LABEL,
  BETA_ZONE_LABEL,
  REGION_LABEL,
  topologyOfFacts,
  topologyOfLabels,
  trustedLabels,
  ZONE_LABEL,
} from "./topology.ts";
import { PROVISIONED_BY_ANNOTATION } from "./volume-object.ts";

const GA = { [ZONE_LABEL]: "z1", [REGION_LABEL]: "r1" };
const BETA = { [BETA_ZONE_LABEL]: "z1", [BETA_REGION_LABEL]: "r1" };
const BY = { [PROVISIONED_BY_ANNOTATION]: "p.example" };

describe("labels that are trusted (spec/50 §3.1)", () => {
  it.each<[string, object, object, object | undefined]>([
    ["both of today", BY, { ...GA, other: "x" }, GA],
    ["both of the beta", BY, BETA, BETA],
    ["both generations", BY, { ...BETA, ...GA }, GA],
    ["one of each generation", BY, { [ZONE_LABEL]: "z1", [BETA_REGION_LABEL]: "r1" }, undefined],
    ["a zone alone", BY, { [ZONE_LABEL]: "z1" }, undefined],
    ["none", BY, {}, undefined],
    ["both, but no provisioner's", {}, GA, undefined],
  ])("%s", (_, ...[annotations, labels, trusted]) => {
    const shape = { annotations: { ...annotations }, labels: { ...labels } };
    expect(trustedLabels(volume(shape))).toEqual(trusted);
  });

  it("stay as they are, and become requirements of their own keys", () => {
    expect(
      topologyOfLabels({ [BETA_ZONE_LABEL]: "z2__z1", [BETA_REGION_LABEL]: "r1" }, "vol-1"),
    ).toEqual({
      kind: "known",
      labels: { [BETA_ZONE_LABEL]: "z2__z1", [BETA_REGION_LABEL]: "r1" },
      requirements: [
        { key: BETA_ZONE_LABEL, operator: "In", values: ["z1", "z2"] },
        { key: BETA_REGION_LABEL, operator: "In", values: ["r1"] },
      ],
    });
  });
});

describe("the cloud's facts about a disk (spec/50 §4)", () => {
  it.each<[string, Partial<VolumeFacts>, object, readonly (readonly [string, string[]])[]]>([
    [
      "one zone",
      {},
      GA,
      [
        [ZONE_LABEL, ["z1"]],
        [REGION_LABEL, ["r1"]],
      ],
    ],
    [
      "several zones in any order, with blanks and twice",
      { zone: "z2__ z1__z2" },
      { ...GA, [ZONE_LABEL]: "z1__z2" },
      [
        [ZONE_LABEL, ["z1", "z2"]],
        [REGION_LABEL, ["r1"]],
      ],
    ],
    ["a region alone", { zone: "" }, { [REGION_LABEL]: "r1" }, [[REGION_LABEL, ["r1"]]]],
    [
      "further labels, which never say where it is",
      { additionalLabels: { "p.example/rack": "7", [ZONE_LABEL]: "z9" } },
      { ...GA, "p.example/rack": "7" },
      [
        [ZONE_LABEL, ["z1"]],
        [REGION_LABEL, ["r1"]],
        ["p.example/rack", ["7"]],
      ],
    ],
    ["nothing", { zone: "", region: "" }, {}, []],
  ])("%s", (_, ...[shape, labels, requirements]) => {
    expect(topologyOfFacts(facts(shape))).toEqual({
      kind: "known",
      labels,
      requirements: requirements.map(([key, values]) => ({ key, operator: "In", values })),
    });
  });

  it.each<[string, Partial<VolumeFacts>, object]>([
    ["an empty zone", { zone: "z1__" }, { code: "VolumeZoneInvalid", id: "vol-1", value: "z1__" }],
    ["a zone that is no label", { zone: "z 1" }, { code: "VolumeZoneInvalid", value: "z 1" }],
    [
      "more zones than a label holds",
      { zone: `${"z".repeat(40)}__${"y".repeat(40)}` },
      { code: "VolumeZoneInvalid" },
    ],
    ["a region that is no label", { region: "r!" }, { code: "LabelInvalid", key: REGION_LABEL }],
    [
      "a key that is no label's",
      { additionalLabels: { "a/b/c": "1" } },
      { code: "LabelInvalid", key: "a/b/c" },
    ],
  ])("%s is unusable", (_, shape, reason) => {
    expect(topologyOfFacts(facts(shape))).toMatchObject({ kind: "unusable", reason });
  });
});
