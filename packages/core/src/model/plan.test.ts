import { expect, it } from "vitest";
import { type Change, type Plan, planHash } from "./plan.ts";

const change: Change = {
  kind: "node.delete",
  system: "cluster",
  target: { kind: "Node", name: "w-9", uid: "u-1" },
  before: { name: "w-9" },
  after: null,
  reason: { code: "InStep" },
};
const plan = (...changes: Change[]): Plan => ({
  changes,
  notTaken: [],
  next: { kind: "settled", reason: { code: "InStep" } },
});

it("plans that would write the same have one hash, whatever their reasons say", async () => {
  const other = { ...change, reason: { code: "NodeReady" } } as const;
  expect(await planHash(plan(change))).toBe(await planHash(plan(other)));
});

it.each<[string, Change[]]>([
  ["nothing", []],
  ["another object", [{ ...change, target: { kind: "Node", name: "w-9", uid: "u-2" } }]],
  ["another effect", [{ ...change, after: "x" }]],
  ["the same twice", [change, change]],
])("%s has another hash", async (_, changes) => {
  expect(await planHash(plan(...changes))).not.toBe(await planHash(plan(change)));
});
