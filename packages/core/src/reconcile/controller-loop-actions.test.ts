import { describe, expect, it } from "vitest";
import { KubeError } from "../kube/errors.ts";
import type { ObjectAction } from "../model/actions/action.ts";
import type { Pause } from "../model/controls.ts";
import { FAILING, HELD, hang, kubeError, requestOf } from "./testing/loop-context.ts";
import { change, LoopFixture, SETTLED } from "./testing/loop-fixture.ts";

describe("a user's retry", () => {
  const trigger = { kind: "intent", intentId: "i-1", actor: "Ada" } as const;
  const request = requestOf("i-1", "Ada");

  it("skips the backoff, appears in the audit and gets its outcome", async () => {
    const all = new LoopFixture();
    const thing = all.thing("w-1", [], FAILING);
    await all.touch("w-1");
    thing.wanted = [change("w-1")];
    thing.next = SETTLED;
    const report = all.loop.retry("w-1", request);
    await all.clock.advance(0);
    expect(await report).toMatchObject({ kind: "ran", run: { outcome: "changed", applied: 1 } });
    expect(all.observed.at(-1)?.trigger).toEqual(trigger);
    expect(all.of("audit")[0]).toMatchObject({
      why: "It was initialised with what the cloud reports. Requested by Ada.",
      intentId: "i-1",
    });
  });

  it("is recorded in the ledger even when its run finds nothing new and makes no call", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [], HELD);
    await all.touch("w-1");
    const known = all.of("run.end").length;
    await all.touch("w-1");
    expect(all.of("run.end")).toHaveLength(known);
    const report = all.loop.retry("w-1", request);
    await all.clock.advance(0);
    const runId = all.of("run.end")[known]?.id;
    expect(runId).toBeDefined();
    expect(await report).toMatchObject({ kind: "ran", run: { runId, state: "held" } });
  });

  it("is answered by a run that began after it was requested", async () => {
    const all = new LoopFixture();
    all.thing("w-1");
    let release: () => void = () => undefined;
    all.onObserve = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    await all.touch("w-1");
    let answered = false;
    void all.loop.retry("w-1", request).then(() => {
      answered = true;
    });
    release();
    await all.clock.advance(0);
    expect(answered).toBe(false);
    release();
    await all.clock.advance(0);
    expect(answered).toBe(true);
  });

  it("writes nothing in the user's name when the plan differs from the one the user saw", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    const { signal } = new AbortController();
    const shown = await all.loop.preview("w-1", { trigger, signal });
    const matching = all.loop.retry("w-1", { ...request, planHash: shown?.planHash });
    const outdated = all.loop.retry("w-1", { ...requestOf("i-2", "Bob"), planHash: "other" });
    expect(await outdated).toEqual({ kind: "planChanged", preview: shown });
    expect(await matching).toMatchObject({ kind: "ran", run: { outcome: "changed" } });
    expect(all.of("audit")[0]).toMatchObject({ intentId: "i-1" });

    all.thing("w-2", [change("w-2")]);
    const alone = all.loop.retry("w-2", { ...request, planHash: "other" });
    expect(await alone).toMatchObject({ kind: "planChanged" });
    await all.until(() => all.last?.object.name === "w-2");
    expect(all.of("run.end").at(-1)?.trigger).toEqual({ kind: "retry" });
    expect(all.of("audit").at(-1)?.intentId).toBeUndefined();
  });

  it("is answered when the loop stops first", async () => {
    const all = new LoopFixture();
    all.thing("w-1");
    all.onObserve = hang;
    await all.touch("w-1");
    const waiting = all.loop.retry("w-1", request);
    const stopping = all.loop.stop(0);
    await all.clock.advance(0);
    await stopping;
    expect(await waiting).toEqual({ kind: "stopped" });
    expect(await all.loop.retry("w-1", request)).toEqual({ kind: "stopped" });
  });

  it("is left to the next leader when this process was not allowed to write", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    const held = { verb: "patch", resource: "nodes", status: 0, fenced: true };
    all.onApply = () =>
      Promise.reject(new KubeError("Unavailable", "This process does not lead.", held));
    expect(await all.loop.retry("w-1", request)).toEqual({ kind: "stopped" });
  });

  it("can be previewed without a write or a record", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    const { signal } = new AbortController();
    const preview = await all.loop.preview("w-1", { trigger, signal });
    expect(preview).toMatchObject({ plan: { changes: [{ kind: "node.initialise" }] } });
    expect(
      await all.loop.preview("absent", { trigger: { kind: "period" }, signal }),
    ).toBeUndefined();
    expect(all.records).toEqual([]);
  });
});

const PAUSE: Pause = {
  controller: "cloud-node-controller",
  by: "Bo",
  why: "LB migration",
  at: 0,
  until: 1,
  intentId: "i-0",
};

describe("a user's action", () => {
  const HOLD: ObjectAction = { kind: "hold", until: 9 };
  const hold = change("w-1", "node.hold");

  function requesting() {
    const all = new LoopFixture();
    const thing = all.thing("w-1");
    all.onRequest = ({ action }) =>
      action.kind === "retry" ? undefined : { changes: [hold], notTaken: [], next: SETTLED };
    return { all, thing };
  }

  it("is planned and carried out in a run of its own", async () => {
    const { all } = requesting();
    const written: string[] = [];
    const request = {
      ...requestOf("i-1", "Ada", HOLD),
      onWriting: (id: string) => written.push(id),
    };
    let reportedBefore = 0;
    all.onApply = () => {
      reportedBefore = written.length;
      return Promise.resolve();
    };
    const report = await all.loop.retry("w-1", request);
    expect(report).toMatchObject({ kind: "ran", run: { applied: 1 } });
    expect(all.of("audit")).toMatchObject([{ action: "node.hold", intentId: "i-1" }]);
    const [end] = all.of("run.end");
    expect([written, reportedBefore]).toEqual([[end?.id], 1]);
    await all.touch("w-1");
    expect(all.last?.applied).toBe(0);
  });

  it("can be previewed without being carried out", async () => {
    const { all } = requesting();
    const { signal } = new AbortController();
    const trigger = { kind: "period" } as const;
    const { requested } = requestOf("i-1", "Ada", HOLD);
    const preview = await all.loop.preview("w-1", { trigger, requested, signal });
    expect(preview?.plan.changes).toEqual([hold]);
    expect((await all.loop.preview("w-1", { trigger, signal }))?.plan.changes).toEqual([]);
  });

  it("waits for another action on the same key, and neither is lost", async () => {
    const { all } = requesting();
    const actions: readonly (readonly [string, ObjectAction])[] = [
      ["i-1", HOLD],
      ["i-2", { kind: "retry" }],
      ["i-3", { kind: "retry" }],
      ["i-4", HOLD],
      ["i-5", { kind: "release" }],
    ];
    const reports = actions.map(([id, action]) =>
      all.loop.retry("w-1", requestOf(id, "Ada", action)),
    );
    const kinds = (await Promise.all(reports)).map(({ kind }) => kind);
    expect(kinds).toEqual(["ran", "ran", "ran", "ran", "ran"]);
    expect(all.observed.map(({ trigger }) => trigger)).toMatchObject([
      { intentId: "i-1" },
      { intentId: "i-2" },
      { intentId: "i-4" },
      { intentId: "i-5" },
    ]);
    expect(all.of("audit").map(({ intentId }) => intentId)).toEqual(["i-1", "i-4", "i-5"]);
  });

  it("that the plan refuses gets the reason, and the run goes on without a user", async () => {
    const { all, thing } = requesting();
    thing.wanted = [change("w-1")];
    const reason = { code: "NothingToDo", what: "the node is not held" } as const;
    all.onRequest = () => ({ changes: [], notTaken: [{ step: "release", reason }], next: SETTLED });
    const report = await all.loop.retry("w-1", requestOf("i-1", "Ada", { kind: "release" }));
    expect(report).toEqual({ kind: "refused", reason });
    await all.until(() => all.outcomes.length > 0);
    expect(all.last).toMatchObject({ trigger: { kind: "retry" }, applied: 1 });
    expect(all.of("run.end")[0]?.notTaken).toEqual([]);
    expect(all.of("audit")[0]).not.toHaveProperty("intentId");
  });

  it("whose plan has changed since is not carried out by the new plan", async () => {
    const { all } = requesting();
    const report = await all.loop.retry("w-1", {
      ...requestOf("i-1", "Ada", HOLD),
      planHash: "other",
    });
    expect(report).toMatchObject({ kind: "planChanged", preview: { plan: { changes: [hold] } } });
    await all.until(() => all.outcomes.length > 0);
    expect([all.last?.applied, all.of("audit")]).toEqual([0, []]);
  });

  it("is compared again when its first write met a conflict, but not after a write succeeded", async () => {
    const { all } = requesting();
    const { signal } = new AbortController();
    const trigger = { kind: "period" } as const;
    const request = requestOf("i-1", "Ada", HOLD);
    let changes = [hold];
    let conflictAt = 0;
    all.onRequest = () => ({ changes, notTaken: [], next: SETTLED });
    all.onApply = () => {
      conflictAt -= 1;
      if (conflictAt !== 0) return Promise.resolve();
      changes = [change("w-1", "node.override-end"), hold];
      return Promise.reject(kubeError("Conflict"));
    };
    const hashNow = async () =>
      (await all.loop.preview("w-1", { trigger, requested: request.requested, signal }))?.planHash;

    conflictAt = 1;
    const first = await all.loop.retry("w-1", { ...request, planHash: await hashNow() });
    expect(first).toMatchObject({ kind: "planChanged" });
    await all.until(() => all.outcomes.length === 1);
    expect(all.last?.applied).toBe(0);

    conflictAt = 2;
    const second = await all.loop.retry("w-1", { ...request, planHash: await hashNow() });
    expect(second).toMatchObject({ kind: "ran", run: { outcome: "changed", applied: 3 } });
  });
});

describe("a paused loop", () => {
  it("lets a run finish, collects the keys that become due and takes them when it is resumed", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    all.thing("w-2");
    all.onApply = () => new Promise((resolve) => void all.clock.after(1_000, resolve));
    await all.touch("w-1");
    let paused = false;
    void all.loop.pause(PAUSE).then(() => {
      paused = true;
    });
    await all.touch("w-2");
    await all.touch("w-1");
    expect([paused, all.loop.paused]).toEqual([false, PAUSE]);
    await all.clock.advance(1_000);
    expect([paused, all.outcomes.length]).toEqual([true, 1]);
    await all.clock.advance(100_000);
    expect([all.outcomes.length, all.queue.depth]).toEqual([1, 2]);
    all.loop.resume();
    await all.clock.advance(0);
    expect(all.loop.paused).toBeUndefined();
    expect(all.outcomes.slice(1).map(({ object }) => object.name)).toEqual(["w-2", "w-1"]);
  });

  it("ends the wait for a run, and runs nothing in the name of a user who asked during the pause", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    await all.queue.pause();
    const waiting = all.loop.retry("w-1", requestOf("i-1", "Ada"));
    await all.loop.pause(PAUSE);
    const late = all.loop.retry("w-1", requestOf("i-2", "Ada"));
    expect([await waiting, await late]).toEqual([
      { kind: "paused", pause: PAUSE },
      { kind: "paused", pause: PAUSE },
    ]);
    all.loop.resume();
    await all.clock.advance(0);
    expect(all.last).toMatchObject({ trigger: { kind: "retry" }, applied: 1 });
  });

  it("can be previewed, and paused again", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    await all.loop.pause(PAUSE);
    await all.loop.pause({ ...PAUSE, until: 2 });
    const { signal } = new AbortController();
    const preview = await all.loop.preview("w-1", { trigger: { kind: "period" }, signal });
    expect(preview?.plan.changes).toHaveLength(1);
    expect(all.loop.paused?.until).toBe(2);
    expect(all.outcomes).toEqual([]);
  });

  it("can be stopped", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    await all.loop.pause(PAUSE);
    await all.touch("w-1");
    await all.loop.stop(1_000);
    expect([all.outcomes, all.clock.pending]).toEqual([[], 0]);
  });
});
