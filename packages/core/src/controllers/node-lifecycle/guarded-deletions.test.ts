import { type Lookup, ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { KubeError, type KubeErrorCode } from "../../kube/errors.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import type { DeletionGuard, GuardVerdict } from "../../reconcile/deletion-guard.ts";
import { Driver } from "../../reconcile/testing/driver.ts";
import { watchNodes } from "../objects/node-sightings.ts";
import { FakeInformer, found, node } from "../testing/node-fixture.ts";
import { INSTANCES, type TestLookup, testRun } from "../testing/test-run.ts";
import { createNodeLifecycleReconciler } from "./create-node-lifecycle-reconciler.ts";

const HELD: GuardVerdict = { kind: "held", deleted: 5, limit: 5, windowMs: 600_000, held: 1 };
const FREE: GuardVerdict = { kind: "free" };
const AWAY = new ProviderError("Unavailable", "down", { provider: "p", operation: "GET" });

/** Returns the lifecycle loop's reconciler with a guard that the test controls. */
function setUp(more: Partial<DeletionGuard> = {}) {
  const informer = new FakeInformer(node({ ready: "False", providerID: "p://i-1" }));
  const deleted: string[] = [];
  const preconditions: object[] = [];
  const clock = createManualClock();
  let refusal: KubeError | undefined;
  const refuse = (code: KubeErrorCode) => {
    refusal = new KubeError(code, "no", { verb: "delete", resource: "nodes", name: "n1" });
  };
  const says = { verdict: FREE, take: true };
  const guard: DeletionGuard = {
    verdict: () => says.verdict,
    take: () => Promise.resolve(says.take),
    waits: () => undefined,
    ...more,
  };
  const reconciler = createNodeLifecycleReconciler({
    instances: INSTANCES,
    client: {
      patch: () => Promise.reject(new Error("nothing is to be written here")),
      delete: ({ name }, requested) => {
        deleted.push(name ?? "");
        preconditions.push(requested);
        return refusal === undefined ? Promise.resolve() : Promise.reject(refusal);
      },
    },
    informer,
    sightings: watchNodes(informer, clock),
    policy: { newNodeGraceMs: 300_000, monitorPeriodMs: 1_000 },
    provider: "p",
    guard,
  });
  const driver = new Driver(reconciler, clock);
  async function pass(answer: (lookup: TestLookup) => Lookup = absentNow) {
    await clock.advance(5_000);
    const run = testRun(answer, { kind: "period" });
    const { plan, view } = await driver.run("n1", run);
    return { plan, view, modes: run.lookups.map(({ options }) => options.mode) };
  }
  /** Returns what was reported to the guard about the node. */
  const noted = () =>
    driver.effects.flatMap((effect) =>
      effect.kind === "guard" ? [[effect.node.uid, effect.because]] : [],
    );
  const events = () =>
    driver.effects.flatMap((effect) => (effect.kind === "event" ? effect.event.reason : []));
  async function preview() {
    await clock.advance(5_000);
    const run = testRun(absentNow, { kind: "period" });
    const observed = await driver.observe("n1", run);
    if (observed === undefined) throw new Error("gone");
    await driver.preview("n1", run);
    return observed;
  }
  function absentNow({ options }: TestLookup): Lookup {
    if (options.mode === "batch") return { kind: "notListed" };
    const proof = { by: "providerID", cloudShowsOthers: true, at: clock.now() } as const;
    return { kind: "absent", proof: { ...proof, requestId: "req-1" } };
  }
  return { says, noted, events, deleted, preconditions, pass, preview, refuse, driver, reconciler };
}

describe("a guarded deletion", () => {
  it("is done once it was counted", async () => {
    const { deleted, pass, noted } = setUp();
    await pass();
    await pass();
    expect(deleted).toEqual(["n1"]);
    expect(noted()).toEqual([["uid-n1", undefined]]);
  });

  it("applies to the node as it was judged, which may be Ready or held by now", async () => {
    const { preconditions, pass } = setUp();
    await pass();
    await pass();
    expect(preconditions).toEqual([{ uid: "uid-n1", resourceVersion: "1" }]);
  });

  it("is planned again when the limit was reached meanwhile, and nothing is deleted", async () => {
    const { says, deleted, pass } = setUp();
    await pass();
    says.take = false;
    await expect(pass()).rejects.toMatchObject({ code: "Conflict" });
    expect(deleted).toEqual([]);
  });

  it("that is held is reported with the cloud's answer, and checked together with all others", async () => {
    const { says, deleted, pass, noted } = setUp();
    await pass();
    says.verdict = HELD;
    expect((await pass()).modes).toEqual(["single"]);
    const next = await pass();
    expect(next.modes).toEqual(["batch"]);
    expect(next.plan.next.reason.code).toBe("DeletionGuardHeld");
    expect(deleted).toEqual([]);
    const because = expect.stringContaining("p://i-1 does not exist (request req-1)");
    expect(noted()).toEqual([
      ["uid-n1", because],
      ["uid-n1", because],
    ]);
  });

  it("that is held leaves its node drifted, as the cloud has no machine for it, until the machine is back", async () => {
    const { says, pass } = setUp();
    await pass();
    says.verdict = HELD;
    expect((await pass()).view.drift).toBe("drifted");
    expect((await pass()).view.drift).toBe("drifted");
    expect((await pass(() => found())).view.drift).toBe("inStep");
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

  it("that is released is not done if the instance is back", async () => {
    const { says, deleted, pass, noted } = setUp();
    await pass();
    says.verdict = HELD;
    await pass();
    says.verdict = { kind: "released", by: "ana", intentId: "i" };
    await pass(() => found());
    expect(deleted).toEqual([]);
    expect(noted().at(-1)).toEqual(["uid-n1", undefined]);
  });

  it("that is held stops waiting once the instance is back", async () => {
    const { says, pass, noted } = setUp();
    await pass();
    says.verdict = HELD;
    await pass();
    await pass(() => found());
    expect(noted().at(-1)).toEqual(["uid-n1", undefined]);
  });

  it("needs two proofs again after the cloud could not be asked, and keeps waiting meanwhile", async () => {
    const { says, deleted, pass, noted, driver } = setUp();
    await pass();
    says.verdict = HELD;
    await pass();
    driver.effects.length = 0;
    await pass(() => ({ kind: "failed", error: AWAY }));
    expect(noted()).toEqual([]);
    says.verdict = FREE;
    await pass();
    expect(deleted).toEqual([]);
    await pass();
    expect(deleted).toEqual(["n1"]);
  });
});

describe("the Events of a deletion", () => {
  it("are one when it is done, and none when the guard holds it back", async () => {
    const { says, pass, events } = setUp();
    await pass();
    says.take = false;
    await expect(pass()).rejects.toMatchObject({ code: "Conflict" });
    expect(events()).toEqual([]);
    says.take = true;
    await pass();
    expect(events()).toEqual(["DeletingNode"]);
  });

  it("announce a repeatedly failing deletion once, and report each failure", async () => {
    const { pass, events, refuse } = setUp();
    refuse("Forbidden");
    await pass();
    await expect(pass()).rejects.toMatchObject({ code: "Forbidden" });
    await expect(pass()).rejects.toMatchObject({ code: "Forbidden" });
    expect(events()).toEqual(["DeletingNode", "DeletingNodeFailed", "DeletingNodeFailed"]);
  });

  it("are none when the node was already gone", async () => {
    const { pass, events, refuse } = setUp();
    refuse("NotFound");
    await pass();
    await pass();
    expect(events()).toEqual([]);
  });
});

describe("a deletion that a dry run foresees", () => {
  it("is submitted to the guard once it is planned, and is checked again if the guard holds it", async () => {
    const requested: string[] = [];
    const foresee = ({ uid }: { readonly uid: string }) => {
      requested.push(uid);
      return HELD;
    };
    const { driver, preview, reconciler } = setUp({ foresee });
    await preview();
    const observed = await preview();
    const [deletion] = driver.plan(observed).changes;
    if (deletion === undefined) throw new Error("a deletion is planned");
    expect(requested).toEqual([]);
    expect(() => reconciler.rehearse?.(deletion, observed)).toThrow(
      expect.objectContaining({ code: "Conflict" }),
    );
    expect(requested).toEqual(["uid-n1"]);
  });

  it("is planned while the guard lets it through", async () => {
    const { driver, preview, reconciler } = setUp({ foresee: () => FREE });
    await preview();
    const observed = await preview();
    const [deletion] = driver.plan(observed).changes;
    if (deletion === undefined) throw new Error("a deletion is planned");
    expect(() => reconciler.rehearse?.(deletion, observed)).not.toThrow();
  });
});
