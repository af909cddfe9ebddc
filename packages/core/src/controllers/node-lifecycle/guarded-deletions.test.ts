import { type Lookup, ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import type { DeletionGuard, GuardVerdict } from "../../reconcile/deletion-guard.ts";
import { watchNodes } from "../objects/node-sightings.ts";
import { FakeInformer, found, node } from "../testing/node-fixture.ts";
import { type TestLookup, testRun } from "../testing/test-run.ts";
import { createNodeLifecycleReconciler } from "./create-node-lifecycle-reconciler.ts";

const HELD: GuardVerdict = { kind: "held", deleted: 5, limit: 5, windowMs: 600_000, held: 1 };
const FREE: GuardVerdict = { kind: "free" };
const AWAY = new ProviderError("Unavailable", "down", { provider: "p", operation: "GET" });

/** The lifecycle loop's reconciler before a guard that does as the test says. */
function setUp(more: Partial<DeletionGuard> = {}) {
  const informer = new FakeInformer(node({ ready: "False", providerID: "p://i-1" }));
  const deleted: string[] = [];
  const preconditions: object[] = [];
  const told: unknown[] = [];
  const clock = createManualClock();
  const says = { verdict: FREE, take: true };
  const guard: DeletionGuard = {
    verdict: () => says.verdict,
    take: () => Promise.resolve(says.take),
    waits: ({ uid }, because) => void told.push([uid, because]),
    ...more,
  };
  const reconciler = createNodeLifecycleReconciler({
    client: {
      patch: () => Promise.reject(new Error("nothing is to be written here")),
      delete: ({ name }, asked) => {
        deleted.push(name ?? "");
        preconditions.push(asked);
        return Promise.resolve();
      },
    },
    informer,
    sightings: watchNodes(informer, clock),
    events: { event: () => undefined },
    metrics: { countCall: () => undefined, observePass: () => undefined },
    clock,
    policy: { newNodeGraceMs: 300_000, monitorPeriodMs: 1_000 },
    provider: "p",
    guard,
  });
  async function pass(answer: (lookup: TestLookup) => Lookup = absentNow) {
    await clock.advance(5_000);
    const run = testRun(answer, { kind: "period" });
    const observed = await reconciler.observe("n1", run);
    if (observed === undefined) throw new Error("gone");
    const plan = reconciler.plan(observed, clock.now());
    let applied = 0;
    const times = { runId: "r", startedAt: 0, endedAt: 0 };
    try {
      for (const change of plan.changes) {
        await reconciler.apply(change, observed, run);
        applied += 1;
      }
    } finally {
      reconciler.project(observed, plan, { applied, ...times });
    }
    return { plan, modes: run.lookups.map(({ options }) => options.mode) };
  }
  function absentNow({ options }: TestLookup): Lookup {
    if (options.mode === "batch") return { kind: "notListed" };
    const proof = { by: "providerID", cloudShowsOthers: true, at: clock.now() } as const;
    return { kind: "absent", proof: { ...proof, requestId: "req-1" } };
  }
  return { says, told, deleted, preconditions, pass, reconciler };
}

describe("a deletion before the guard", () => {
  it("is done once it was counted", async () => {
    const { deleted, pass, told } = setUp();
    await pass();
    await pass();
    expect(deleted).toEqual(["n1"]);
    expect(told).toEqual([["uid-n1", undefined]]);
  });

  it("is of the node as it was judged, which may be Ready or held by then", async () => {
    const { preconditions, pass } = setUp();
    await pass();
    await pass();
    expect(preconditions).toEqual([{ uid: "uid-n1", resourceVersion: "1" }]);
  });

  it("is planned anew when the limit was reached meanwhile, and nothing is deleted", async () => {
    const { says, deleted, pass } = setUp();
    await pass();
    says.take = false;
    await expect(pass()).rejects.toMatchObject({ code: "Conflict" });
    expect(deleted).toEqual([]);
  });

  it("that is held is told with the cloud's answer, and looked at together with all others", async () => {
    const { says, deleted, pass, told } = setUp();
    await pass();
    says.verdict = HELD;
    expect((await pass()).modes).toEqual(["single"]);
    const next = await pass();
    expect(next.modes).toEqual(["batch"]);
    expect(next.plan.next.reason.code).toBe("DeletionGuardHeld");
    expect(deleted).toEqual([]);
    const because = expect.stringContaining("p://i-1 does not exist (request req-1)");
    expect(told).toEqual([
      ["uid-n1", because],
      ["uid-n1", because],
    ]);
  });

  it("that is released is done after one more proof of its own", async () => {
    const { says, deleted, pass } = setUp();
    await pass();
    says.verdict = HELD;
    await pass();
    await pass();
    says.verdict = { kind: "released", by: "ana", intentId: "i" };
    expect((await pass()).modes).toEqual(["single"]);
    expect(deleted).toEqual(["n1"]);
  });

  it("that is released but whose instance is back is not done", async () => {
    const { says, deleted, pass, told } = setUp();
    await pass();
    says.verdict = HELD;
    await pass();
    says.verdict = { kind: "released", by: "ana", intentId: "i" };
    await pass(() => found());
    expect(deleted).toEqual([]);
    expect(told.at(-1)).toEqual(["uid-n1", undefined]);
  });

  it("that is held waits no more once the instance is back or the node is gone", async () => {
    const { says, pass, told, reconciler } = setUp();
    await pass();
    says.verdict = HELD;
    await pass();
    await pass(() => found());
    expect(told.at(-1)).toEqual(["uid-n1", undefined]);
    told.length = 0;
    reconciler.forget("n1", "uid-n1");
    expect(told).toEqual([["uid-n1", undefined]]);
  });

  it("needs two proofs again after the cloud could not be asked, and waits as before meanwhile", async () => {
    const { says, deleted, pass, told } = setUp();
    await pass();
    says.verdict = HELD;
    await pass();
    told.length = 0;
    await pass(() => ({ kind: "failed", error: AWAY }));
    expect(told).toEqual([]);
    says.verdict = FREE;
    await pass();
    expect(deleted).toEqual([]);
    await pass();
    expect(deleted).toEqual(["n1"]);
  });
});

describe("a deletion that a dry run foresees", () => {
  it("is asked of the guard once it would be planned, and shows as held where the guard says so", async () => {
    const asked: string[] = [];
    const foresee = ({ uid }: { readonly uid: string }) => {
      asked.push(uid);
      return HELD;
    };
    const { pass } = setUp({ foresee });
    expect((await pass()).plan.next.reason.code).toBe("InstanceAbsentOnce");
    expect(asked).toEqual([]);
    const { plan } = await pass();
    expect(plan).toMatchObject({ changes: [], next: { reason: { code: "DeletionGuardHeld" } } });
    expect(asked).toEqual(["uid-n1"]);
  });

  it("is planned while the guard lets it through", async () => {
    const { pass } = setUp({ foresee: () => FREE });
    await pass();
    expect((await pass()).plan.changes).toMatchObject([{ kind: "node.delete" }]);
  });
});
