import { expect, it } from "vitest";
import type { Directory, LookupRun } from "../../cloud/ports.ts";
import type { Change, Plan } from "../../model/plan.ts";
import type { Reconciler } from "../../reconcile/reconciler.ts";
import { readsOnly } from "./reads-only.ts";

type Kept = { readonly names: string[] };
type Made = Reconciler<Kept, Change, Kept>;

const PLAN: Plan<Change> = {
  changes: [],
  notTaken: [],
  next: { kind: "settled", reason: { code: "InStep" } },
};

function grown(names: string[]): Plan<Change> {
  names.push("more");
  return PLAN;
}

function reconcilerWith(parts: Partial<Made>): Made {
  return readsOnly<Kept, Change, Kept, unknown>({
    noMemory: { names: [] },
    object: (name) => ({ kind: "Node", name }),
    observe: async () => ({ names: [] }),
    plan: () => PLAN,
    apply: async () => undefined,
    conclude: ({ memory }) => ({
      memory,
      effects: [],
      view: { name: "n", uid: "", drift: "inStep" },
    }),
    ...parts,
  });
}

const CONTEXT = {
  memory: { names: [] },
  cloud: (directory: Directory<object>) => directory.for({} as LookupRun),
} as unknown as Parameters<Made["observe"]>[1];

it("what observe shares with other runs cannot be changed by it, not even after an await", async () => {
  const offers = new Map<string, string>();
  const made = reconcilerWith({
    observe: async (key) => {
      await Promise.resolve();
      offers.set(key, "10.0.0.0/24");
      return { names: [] };
    },
  });
  await expect(made.observe("n1", CONTEXT)).rejects.toThrow("observe changed a Map");
  expect(offers.size).toBe(0);
});

it.each<[string, (made: Made) => unknown, Partial<Made>]>([
  [
    "plan, of what was observed",
    (made) => made.plan({ names: [] }, { names: [] }, 0),
    { plan: ({ names }) => grown(names) },
  ],
  [
    "plan, of the memory",
    (made) => made.plan({ names: [] }, { names: [] }, 0),
    { plan: (_observed, { names }) => grown(names) },
  ],
])("%s: nothing is mutated", (_what, call, parts) => {
  expect(() => call(reconcilerWith(parts))).toThrow(TypeError);
});

it("what it creates itself may be filled, and a port of its run may remember who asks", async () => {
  const requested = new Set<string>();
  const instances = { for: () => ({ lookup: async (name: string) => requested.add(name) }) };
  const made = reconcilerWith({
    observe: async (key, { cloud }) => {
      const own = new Map([["a", 1]]);
      own.set("b", 2);
      await cloud(instances).lookup(key);
      return { names: [...own.keys()] };
    },
  });
  expect(await made.observe("n1", CONTEXT)).toEqual({ names: ["a", "b"] });
  expect([...requested]).toEqual(["n1"]);
});
