import { describe, expect, it } from "vitest";
import { type NodeShape, node } from "../../testing/node-fixture.ts";
import {
  EXCLUDE_LABEL,
  memberSetOf,
  memberSignature,
  memberVerdicts,
  type RefusedMembers,
  withoutRefused,
} from "./members.ts";

const NONE_REFUSED: RefusedMembers = new Map();

function setOf(...shapes: readonly NodeShape[]) {
  return memberSetOf(shapes.map(node), { provider: "p", resolved: () => undefined });
}

function verdictOf(shape: NodeShape, actual: Record<string, { health?: string }> = {}) {
  return memberVerdicts(
    setOf({ name: "n1", providerID: "p://n1", ...shape }),
    actual,
    NONE_REFUSED,
  )[0];
}

const SEEN = { "p://n1": {} };
const AUTOSCALER = {
  key: "ToBeDeletedByClusterAutoscaler",
  value: "1",
  effect: "PreferNoSchedule",
};

describe("a node (spec/30 §5)", () => {
  it.each<[string, NodeShape, string]>([
    ["is in", {}, "in eligible"],
    ["is in though it is not ready", { ready: "False" }, "in notReady"],
    ["is in with other taints", { taints: [{ key: "a", effect: "NoExecute" }] }, "in eligible"],
    [
      "leaves when it is deleted",
      { deletionTimestamp: "2026-01-01T00:00:00Z" },
      "leaving beingDeleted",
    ],
    ["leaves for the autoscaler (S-19)", { taints: [AUTOSCALER] }, "leaving autoscalerRemoves"],
    ["leaves by the label", { labels: { [EXCLUDE_LABEL]: "true" } }, "leaving excludedByLabel"],
    ["leaves by the empty label", { labels: { [EXCLUDE_LABEL]: "" } }, "leaving excludedByLabel"],
    [
      "leaves by any other value",
      { labels: { [EXCLUDE_LABEL]: "foo" } },
      "leaving excludedByLabel",
    ],
    ["stays by the label's false", { labels: { [EXCLUDE_LABEL]: "false" } }, "in eligible"],
    ["stays by the label's 0 (S-18)", { labels: { [EXCLUDE_LABEL]: "0" } }, "in eligible"],
  ])("%s", (_, shape, expected) => {
    const { verdict, why } = verdictOf(shape, SEEN) ?? {};
    expect(`${verdict} ${why}`).toBe(expected);
  });

  it("is in although it is cordoned", () => {
    const one = node({ name: "n1", providerID: "p://n1" });
    const cordoned = { ...one, spec: { ...one.spec, unschedulable: true } };
    const set = memberSetOf([cordoned], { provider: "p", resolved: () => undefined });
    expect(memberVerdicts(set, SEEN, NONE_REFUSED)).toMatchObject([
      { verdict: "in", why: "cordoned" },
    ]);
  });

  it("is shown as coming while the cloud does not have it yet", () => {
    expect(verdictOf({})).toMatchObject({ verdict: "soon", why: "eligible" });
  });

  it("names the evidence if it is out", () => {
    expect(verdictOf({ labels: { [EXCLUDE_LABEL]: "yes" } })).toMatchObject({
      verdict: "out",
      evidence: `${EXCLUDE_LABEL}="yes"`,
    });
  });

  it.each<[string, NodeShape, string]>([
    ["no provider ID", { name: "n1" }, "withoutProviderID"],
    ["another cloud's", { name: "n1", providerID: "other://n1" }, "foreign"],
  ])("with %s is out", (_, shape, why) => {
    const set = setOf(shape);
    expect(set.members).toEqual([]);
    expect(memberVerdicts(set, {}, NONE_REFUSED)).toMatchObject([{ verdict: "out", why }]);
  });

  it("is in if the cloud knows it by its name", () => {
    const set = memberSetOf([node({ name: "n1" })], { provider: "p", resolved: () => "p://i-1" });
    expect(set.members).toMatchObject([{ nodeName: "n1", providerID: "p://i-1" }]);
  });

  it("is out if the cloud refuses it, with the cloud's message, and the others serve", () => {
    const refused = new Map([["p://n2", { message: "another network" }]]);
    const set = setOf({ name: "n1", providerID: "p://n1" }, { name: "n2", providerID: "p://n2" });
    expect(withoutRefused(set.members, refused)).toMatchObject([{ nodeName: "n1" }]);
    expect(memberVerdicts(set, SEEN, refused)).toMatchObject([
      { node: "n1", verdict: "in" },
      { node: "n2", verdict: "out", why: "refused", evidence: "another network" },
    ]);
  });
});

it("two nodes with one provider ID are one member", () => {
  const set = setOf({ name: "b", providerID: "p://1" }, { name: "a", providerID: "p://1" });
  expect(set.members).toMatchObject([{ nodeName: "a", providerID: "p://1" }]);
  expect(memberVerdicts(set, { "p://1": {} }, NONE_REFUSED).map(({ verdict }) => verdict)).toEqual([
    "in",
    "in",
  ]);
});

it("a machine in the cloud without a node is leaving", () => {
  expect(memberVerdicts(setOf(), { "p://gone": { health: "down" } }, NONE_REFUSED)).toMatchObject([
    { node: "p://gone", verdict: "leaving" },
  ]);
});

it("load balancers that are in sync share one list of verdicts", () => {
  const set = setOf({ name: "n1", providerID: "p://n1" });
  expect(memberVerdicts(set, SEEN, NONE_REFUSED)).toBe(
    memberVerdicts(set, { "p://n1": {} }, NONE_REFUSED),
  );
  expect(memberVerdicts(set, { "p://n1": { health: "up" } }, NONE_REFUSED)).toMatchObject([
    { verdict: "in", health: "up" },
  ]);
});

it("the IDs of healthy nodes are left out if there are very many", () => {
  const shapes = Array.from({ length: 501 }, (_, index) => ({
    name: `n${index}`,
    providerID: `p://n${index}`,
  }));
  const actual = Object.fromEntries(shapes.slice(1).map(({ providerID }) => [providerID, {}]));
  const [first, second] = memberVerdicts(setOf(...shapes), actual, NONE_REFUSED);
  expect(first).toMatchObject({ verdict: "soon", providerID: "p://n0" });
  expect(second).toEqual({ node: "n1", verdict: "in", why: "eligible" });
});

describe("an update of members", () => {
  it.each<[string, NodeShape, boolean]>([
    ["readiness", { ready: "False" }, false],
    ["other labels", { labels: { a: "b" } }, false],
    ["addresses", { addresses: [] }, false],
    ["the provider ID (S-26)", { providerID: "p://n2" }, true],
    ["the autoscaler's taint (SW-10)", { taints: [AUTOSCALER] }, true],
    ["deletion (SW-10)", { deletionTimestamp: "2026-01-01T00:00:00Z" }, true],
    ["the exclude label (S-23)", { labels: { [EXCLUDE_LABEL]: "" } }, true],
  ])("reacts to or ignores %s", (_, shape, isTrigger) => {
    const before = node({ name: "n1", providerID: "p://n1" });
    const after = node({ name: "n1", providerID: "p://n1", ...shape });
    expect(memberSignature(before) !== memberSignature(after)).toBe(isTrigger);
  });
});
