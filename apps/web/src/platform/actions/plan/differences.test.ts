import type { Change } from "@cloudwright/core/model/plan";
import { expect, it } from "vitest";
import { planDifferences } from "./differences.tsx";

function hold(until: number, before: number | null = null, name = "w-9"): Change {
  return {
    kind: "node.hold",
    system: "cluster",
    target: { kind: "Node", name, uid: `u-${name}` },
    before: { hold: before === null ? null : { until: before } },
    after: { hold: { until } },
    reason: { code: "PersonAsked", by: "ana", why: "disk check", intentId: "i-1" },
  };
}

it("plans that write the same have no differences, whatever their reasons say", () => {
  const other: Change = { ...hold(5), reason: { code: "InStep" } };
  expect(planDifferences([hold(5)], [other])).toEqual([]);
});

it("a write to an object that has changed since shows the new values", () => {
  expect(planDifferences([hold(5)], [hold(5, 3)])).toEqual([
    {
      kind: "other",
      what: "Hold node w-9",
      rows: [{ path: "from › hold › until", before: undefined, after: "3" }],
    },
  ]);
});

it("a hold without an end that was set in the meantime is shown, although it has no field to show", () => {
  const now: Change = { ...hold(5), before: { hold: { until: null } } };
  expect(planDifferences([hold(5)], [now])[0]?.rows).toEqual([
    { path: "from", before: '{"hold":null}', after: '{"hold":{"until":null}}' },
  ]);
});

it("changes that were added or removed are named", () => {
  const differences = planDifferences([hold(5)], [{ ...hold(5), kind: "node.release" }]);
  expect(differences).toEqual([
    { kind: "new", what: "Release node w-9", rows: [] },
    { kind: "gone", what: "Hold node w-9", rows: [] },
  ]);
});

it("an object that was recreated under its name is a different one", () => {
  const anew: Change = { ...hold(5), target: { kind: "Node", name: "w-9", uid: "u-2" } };
  expect(planDifferences([hold(5)], [anew]).map(({ kind }) => kind)).toEqual(["new", "gone"]);
});
