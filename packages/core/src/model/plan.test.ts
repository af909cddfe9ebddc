import { describe, expect, it } from "vitest";
import {
  CHANGE_KINDS,
  type Change,
  changeSchema,
  combinedPlanHash,
  nextSchema,
  type Plan,
  planHash,
} from "./plan.ts";

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

it("plans that would write the same have one hash, whatever their reasons", async () => {
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

it("the order of an object's members does not matter, that of the writes does", async () => {
  const second: Change = { ...change, target: { kind: "Node", name: "w-8", uid: "u-8" } };
  const both = { ...change, before: { name: "w-9", zone: "z" } };
  const swapped = { ...change, before: { zone: "z", name: "w-9" } };
  expect(await planHash(plan(both))).toBe(await planHash(plan(swapped)));
  expect(await planHash(plan(change, second))).not.toBe(await planHash(plan(second, change)));
});

it("what is not taken and what comes next do not count: only the writes were confirmed", async () => {
  const notTaken = [{ step: "addresses", reason: { code: "AddressesMissing", provider: "s" } }];
  const next = { kind: "waiting", reason: { code: "InStep" }, forMs: 5 };
  const other = { ...plan(change), notTaken, next, again: true } as Plan;
  expect(await planHash(other)).toBe(await planHash(plan(change)));
});

describe("the plans of several loops", () => {
  it("are confirmed by one hash, which is that of the only plan if there is one", async () => {
    expect(await combinedPlanHash(["abc"])).toBe("abc");
    expect(await combinedPlanHash(["a", "b"])).not.toBe("a");
  });

  it.each<[string, readonly (string | undefined)[]]>([
    ["in another order", ["b", "a"]],
    ["with one that cannot be shown", ["a", undefined]],
    ["with one more", ["a", "b", undefined]],
    ["without the second", ["a"]],
    ["none of which can be shown", [undefined, undefined]],
    ["joined otherwise", ["ab"]],
  ])("%s have another hash", async (_how, hashes) => {
    expect(await combinedPlanHash(hashes)).not.toBe(await combinedPlanHash(["a", "b"]));
  });

  it("that do not exist have another hash than one plan without a hash", async () => {
    expect(await combinedPlanHash([])).not.toBe(await combinedPlanHash([undefined]));
  });
});

describe("a plan that is read back", () => {
  it.each(["settled", "blocked", "failed"] as const)("%s needs its reason alone", (kind) => {
    expect(nextSchema.parse({ kind, reason: { code: "InStep" } })).toMatchObject({ kind });
    expect(nextSchema.safeParse({ kind }).success).toBe(false);
  });

  it("has the duration of a wait", () => {
    const waiting = { kind: "waiting", reason: { code: "InStep" } };
    expect(nextSchema.safeParse(waiting).success).toBe(false);
    expect(nextSchema.safeParse({ ...waiting, forMs: 0 }).success).toBe(true);
  });

  it("may contain a change that only another release knows, but none of an unknown system", () => {
    expect(changeSchema.parse({ ...change, kind: "namespace.labels.write" }).kind).toBe(
      "namespace.labels.write",
    );
    expect(changeSchema.safeParse({ ...change, system: "database" }).success).toBe(false);
    expect(changeSchema.safeParse({ ...change, target: { kind: "Node" } }).success).toBe(false);
  });

  it("has kinds of change whose names are unique and start with their object", () => {
    expect(new Set(CHANGE_KINDS).size).toBe(CHANGE_KINDS.length);
    for (const kind of CHANGE_KINDS) expect(kind).toMatch(/^[a-z]+(?:\.[a-z-]+){1,2}$/);
  });
});
