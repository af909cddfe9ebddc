import { describe, expect, it } from "vitest";
import type { InstanceDirectory } from "../cloud/ports.ts";
import { ledgerRecordSchema } from "../model/records/record.ts";
import { kubeError } from "./testing/loop-context.ts";
import { change, LoopFixture, SETTLED } from "./testing/loop-fixture.ts";

describe("controller loop", () => {
  it("observes, plans, applies and records in the order that survives a crash", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1", "node.addresses.write"), change("w-1")]);
    await all.touch("w-1");
    expect(all.records.map(({ type }) => type)).toEqual([
      "run.start",
      "audit",
      "audit",
      "run.end",
      "state",
    ]);
    const [start] = all.of("run.start");
    const [end] = all.of("run.end");
    expect(end).toMatchObject({
      id: start?.id,
      cluster: "cluster-1",
      instance: "host_1",
      controller: "cloud-node-controller",
      object: { kind: "Node", name: "w-1", uid: "uid-w-1" },
      trigger: { kind: "change", what: "updated" },
      attempt: 1,
      outcome: "changed",
      applied: 2,
      changes: [{ kind: "node.addresses.write" }, { kind: "node.initialise" }],
      next: SETTLED,
    });
    expect(all.of("audit")).toMatchObject([
      { action: "node.addresses", result: "applied", actor: { kind: "controller" } },
      {
        action: "node.initialise",
        before: { done: false },
        after: { done: true },
        why: "It was initialised with what the cloud reports.",
        runId: start?.id,
      },
    ]);
    expect(all.of("state")).toMatchObject([
      { name: "w-1", uid: "uid-w-1", state: "ok", failures: 0, runId: start?.id },
    ]);
    for (const record of all.records) ledgerRecordSchema.parse(record);
  });

  it("records the start before the first write", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    let before: string[] = [];
    all.onApply = () => {
      before = all.records.map(({ type }) => type);
      return Promise.resolve();
    };
    await all.touch("w-1");
    expect(before).toEqual(["run.start"]);
  });

  it("records nothing for a healthy object whose change made no difference", async () => {
    const all = new LoopFixture();
    all.thing("w-1");
    await all.touch("w-1");
    expect(all.records.map(({ type }) => type)).toEqual(["run.end", "state"]);
    for (let heartbeat = 0; heartbeat < 5; heartbeat++) {
      await all.clock.advance(10_000);
      await all.touch("w-1");
    }
    expect(all.records).toHaveLength(2);
    expect(all.outcomes).toHaveLength(6);
  });

  it("records nothing for the observation that follows its own change", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    await all.touch("w-1");
    const written = all.records.length;
    await all.touch("w-1");
    expect(all.last?.outcome).toBe("unchanged");
    expect(all.records).toHaveLength(written);
  });

  it("skips the run for the echo of its own write, unless something fails or somebody waits", async () => {
    const fixture = new LoopFixture();
    fixture.thing("w-1");
    const requested: string[] = [];
    fixture.onSettled = (_, trigger) => {
      requested.push(trigger.kind);
      return true;
    };
    await fixture.touch("w-1");
    expect(fixture.observed).toEqual([]);
    expect(requested).toEqual(["change"]);
    fixture.queue.addFailed("w-1", { kind: "change", what: "taints" });
    await fixture.clock.advance(600_000);
    expect(fixture.observed).toHaveLength(1);
    const retried = fixture.loop.retry("w-1", {
      intentId: "i-1",
      actor: "Ada",
      requested: { action: { kind: "retry" }, intentId: "i-1", by: "Ada", why: "look" },
    });
    await fixture.clock.advance(0);
    expect(await retried).toMatchObject({ kind: "ran" });
  });

  it("records a run that made a call, and its state when it asked the cloud", async () => {
    const step = {
      system: "cloud" as const,
      operation: "GET /v1/instances",
      target: "w-1",
      offsetMs: 0,
      durationMs: 12,
      limiterWaitMs: 0,
      attempt: 1,
      sharedBy: 3,
    };
    const directory: InstanceDirectory = {
      for: (run) => ({
        lookup: () => {
          run.step(step);
          return Promise.resolve({ kind: "unclaimed" });
        },
      }),
    };
    const all = new LoopFixture();
    all.thing("w-1");
    all.onObserve = async (key, run) => {
      const options = { maxAgeMs: 0, mode: "batch", priority: run.priority } as const;
      await run.cloud(directory).lookup({ nodeName: key, providerID: undefined }, options);
    };
    await all.touch("w-1");
    await all.touch("w-1");
    expect(all.of("run.end").map(({ steps }) => steps)).toEqual([
      [{ ...step, phase: "observe" }],
      [{ ...step, phase: "observe" }],
    ]);
    expect(all.of("state")).toHaveLength(2);
  });

  it("shows the calls to the API server as steps of the phase they belong to", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    all.onApply = (_change, run) => {
      run.kube.observer?.({
        verb: "patch",
        resource: "nodes/status",
        name: "w-1",
        startedAt: all.clock.now(),
        durationMs: 7,
        limiterWaitMs: 2,
        status: 200,
        attempts: 1,
      });
      return Promise.resolve();
    };
    await all.touch("w-1");
    expect(all.of("run.end")[0]?.steps).toMatchObject([
      {
        phase: "apply",
        system: "kube",
        operation: "PATCH nodes/status",
        durationMs: 7,
        status: 200,
      },
    ]);
  });

  it("counts how often a run repeated a call, and keeps the messages of refusals", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    const call = {
      verb: "patch",
      resource: "nodes/status",
      name: "w-1",
      startedAt: all.clock.now(),
      durationMs: 1,
      limiterWaitMs: 0,
    };
    const answers = [
      { ...call, status: 409, attempts: 2, error: "changed", body: { reason: "Conflict" } },
      { ...call, status: 0, attempts: 0, error: "nothing was sent with token=abc" },
      { ...call, status: 200, attempts: 1 },
    ];
    all.onApply = (_change, run) => {
      const [answer] = answers.splice(0, 1);
      if (answer === undefined) throw new Error("The test has no more answers.");
      run.kube.observer?.({ ...call, name: "another", status: 200, attempts: 1 });
      run.kube.observer?.(answer);
      return answer.status === 200 ? Promise.resolve() : Promise.reject(kubeError("Conflict"));
    };
    await all.touch("w-1");
    await all.clock.advance(1_000);
    const steps = all.of("run.end")[0]?.steps.filter(({ target }) => target === "w-1");
    expect(steps).toMatchObject([
      { attempt: 2, error: "changed", body: { reason: "Conflict" } },
      { attempt: 3, error: "nothing was sent with token=***" },
      { attempt: 4, status: 200 },
    ]);
    expect(steps?.[2]).not.toHaveProperty("body");
    const others = all.of("run.end")[0]?.steps.filter(({ target }) => target === "another");
    expect(others?.map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
  });

  it("ends the run of an object whose name another object took, and gives the new one a run of its own", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    all.onObserve = async () => {
      all.onObserve = () => Promise.resolve();
      const again = all.thing("w-1", [change("w-1")]);
      again.uid = "uid-again";
      all.queue.add("w-1", { kind: "change", what: "created" });
    };
    await all.touch("w-1");
    await all.until(() => all.outcomes.length === 2);
    const objects = all.outcomes.map(({ object, outcome, reason }) => [
      object.uid,
      outcome,
      reason.code,
    ]);
    expect(objects).toEqual([
      ["uid-w-1", "unchanged", "ObjectGone"],
      ["uid-again", "changed", "InStep"],
    ]);
    const recorded = all.of("run.end").map(({ object }) => object.uid);
    expect(recorded).toEqual(["uid-again"]);
  });

  it("reports once that an object is gone, and forgets it", async () => {
    const all = new LoopFixture();
    all.thing("w-1");
    await all.touch("w-1");
    all.things.delete("w-1");
    await all.touch("w-1");
    expect(all.last).toMatchObject({ outcome: "unchanged", state: "gone", nextAt: undefined });
    await all.touch("w-1");
    await all.touch("never known");
    expect(all.of("state").map(({ state }) => state)).toEqual(["ok", "gone"]);
    expect(all.of("run.end")).toHaveLength(2);
  });

  it("fails the run whose projection throws, and goes on", async () => {
    const all = new LoopFixture();
    all.thing("w-1");
    all.thing("w-2");
    all.onConclude = () => {
      throw new TypeError("no such field");
    };
    await all.touch("w-1");
    expect(all.last).toMatchObject({ outcome: "failed", reason: { message: "no such field" } });
    all.onConclude = () => undefined;
    await all.touch("w-2");
    await all.clock.advance(1_000);
    expect(all.outcomes.slice(1)).toMatchObject([
      { outcome: "unchanged" },
      { outcome: "unchanged" },
    ]);
  });

  it("applies nothing in a dry run and records one plan once", async () => {
    const all = new LoopFixture({ dryRun: true });
    const thing = all.thing("w-1", [change("w-1")]);
    all.onApply = () => Promise.reject(new Error("a dry run wrote"));
    await all.touch("w-1");
    await all.touch("w-1");
    expect(all.records.map(({ type }) => type)).toEqual(["run.end", "state"]);
    expect(all.of("run.end")).toMatchObject([
      { dryRun: true, outcome: "unchanged", applied: 0, changes: [{ kind: "node.initialise" }] },
    ]);
    thing.wanted = [change("w-1", "node.labels.write")];
    await all.touch("w-1");
    expect(all.of("run.end")).toHaveLength(2);
  });

  it("survives an error in the reconciler's `object`", async () => {
    const all = new LoopFixture();
    all.thing("w-1");
    const get = all.things.get.bind(all.things);
    all.things.get = () => {
      throw new TypeError("broken cache");
    };
    await all.touch("w-1");
    expect(all.loop.lastError).toBe("w-1: cause unknown: broken cache.");
    all.things.get = get;
    await all.clock.advance(1_000);
    expect(all.last?.outcome).toBe("unchanged");
  });
});
