import { expect, test } from "vitest";
import { flagSetting } from "../../../testing/budget-records.ts";
import { compareFleetFlags } from "./compare-flags.ts";

function cluster(id: string, flags: Readonly<Record<string, string>>) {
  return {
    cluster: id,
    flags: Object.entries(flags).map(([name, value]) => flagSetting({ name, value })),
  };
}

test("says which clusters run with another value than most", () => {
  const { differing, same } = compareFleetFlags([
    cluster("a", { qps: "500", name: "x" }),
    cluster("b", { qps: "50", name: "x" }),
    cluster("c", { qps: "500", name: "x" }),
  ]);
  expect(same).toBe(1);
  expect(differing).toMatchObject([
    {
      name: "qps",
      values: [
        { value: "500", clusters: ["a", "c"] },
        { value: "50", clusters: ["b"] },
      ],
    },
  ]);
});

test("counts a flag that one version does not know as a difference", () => {
  const { differing } = compareFleetFlags([
    cluster("a", { old: "1", fresh: "2" }),
    cluster("b", { old: "1" }),
  ]);
  expect(differing).toMatchObject([
    {
      name: "fresh",
      values: [
        { value: "2", clusters: ["a"] },
        { value: undefined, clusters: ["b"] },
      ],
    },
  ]);
});

test.each([
  [[], 0],
  [[cluster("a", { qps: "1" })], 1],
])("has no differences of %j", (clusters, same) => {
  expect(compareFleetFlags(clusters)).toEqual({ differing: [], same });
});
