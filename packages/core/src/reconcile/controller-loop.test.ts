import { describe, expect, it } from "vitest";
import { KubeError } from "../kube/errors.ts";
import type { Change } from "../model/plan.ts";
import { ledgerRecordSchema } from "../model/record.ts";
import { ProviderError } from "../provider/errors.ts";
import type { InstanceDirectory } from "../provider/instance-directory.ts";
import { change, LoopFixture, SETTLED } from "./testing/loop-fixture.ts";
import { FAILING, HELD, hang, kubeError, providerError, REFUSED } from "./testing/loop-parts.ts";

describe("controller loop", () => {
  it("observes, plans, applies and writes down in the order that survives a crash", async () => {
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
        why: "It was initialised from the cloud's facts.",
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

  it("writes nothing down for a healthy object that changed without meaning", async () => {
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

  it("writes nothing down for the look that follows its own change", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    await all.touch("w-1");
    const written = all.records.length;
    await all.touch("w-1");
    expect(all.last?.outcome).toBe("unchanged");
    expect(all.records).toHaveLength(written);
  });

  it("spares the run for what is but the echo of its own write, unless something fails or somebody waits", async () => {
    const world = new LoopFixture();
    world.thing("w-1");
    const asked: string[] = [];
    world.onSettled = (_, trigger) => {
      asked.push(trigger.kind);
      return true;
    };
    await world.touch("w-1");
    expect(world.observed).toEqual([]);
    expect(asked).toEqual(["change"]);
    world.queue.addFailed("w-1", { kind: "change", what: "taints" });
    await world.clock.advance(600_000);
    expect(world.observed).toHaveLength(1);
    const retried = world.loop.retry("w-1", {
      intentId: "i-1",
      actor: "Ada",
      asked: { wish: { kind: "retry" }, intentId: "i-1", by: "Ada", why: "look" },
    });
    await world.clock.advance(0);
    expect(await retried).toMatchObject({ kind: "ran" });
  });

  it("records a run that called somebody, and the state when the cloud was asked", async () => {
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
    const all = new LoopFixture({ directory });
    all.thing("w-1");
    all.onObserve = async (key, run) => {
      const options = { maxAgeMs: 0, mode: "batch", priority: run.priority } as const;
      await run.instances.lookup({ nodeName: key, providerID: undefined }, options);
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

  it("counts how often a run made a call, and keeps what refusals said", async () => {
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

  it.each([
    ["cloud", new ProviderError("Invalid", "not with Bearer hunter2hunter2", REFUSED)],
    [
      "API server",
      new KubeError("Invalid", "not with password=hunter2", { verb: "get", resource: "x" }),
    ],
    ["library", new Error("https://bo:hunter2@proxy.example is down")],
  ])("writes no secret down that a %s told", async (_who, error) => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    all.onApply = () => Promise.reject(error);
    await all.touch("w-1");
    expect(all.of("run.end")).toHaveLength(1);
    expect(JSON.stringify([all.records, all.last, all.loop.lastError])).not.toContain("hunter2");
  });

  it("comes back after what it waits for, without counting it as a failure", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [], {
      kind: "waiting",
      reason: { code: "NewNodeGrace", untilMs: 0 },
      forMs: 700,
    });
    await all.touch("w-1");
    expect(all.last).toMatchObject({
      outcome: "waiting",
      state: "waiting",
      failures: 0,
      nextAt: all.clock.now() + 700,
    });
    await all.clock.advance(699);
    expect(all.outcomes).toHaveLength(1);
    await all.clock.advance(1);
    expect(all.last?.trigger).toEqual({ kind: "retry" });
  });

  it("does not come back by itself to what is blocked", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [], { kind: "blocked", reason: { code: "InstanceUnclaimed", provider: "s" } });
    await all.touch("w-1");
    await all.clock.advance(10_000_000);
    expect(all.outcomes).toMatchObject([{ outcome: "blocked", state: "stuck", nextAt: undefined }]);
  });

  it("calls a held object held, and the run that leaves it alone no failure", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [], HELD);
    await all.touch("w-1");
    expect(all.last).toMatchObject({ outcome: "unchanged", state: "held", nextAt: undefined });
  });

  it("calls an object waiting that is done but waits for its machine", async () => {
    const all = new LoopFixture();
    const reason = { code: "InstanceStopped", provider: "s", state: "stopped" } as const;
    all.thing("w-1", [], { kind: "settled", reason });
    await all.touch("w-1");
    expect(all.last).toMatchObject({ outcome: "unchanged", state: "waiting" });
  });

  it("backs off while it fails, and calls it stuck after three failures and two minutes", async () => {
    const all = new LoopFixture();
    const thing = all.thing("w-1", [], FAILING);
    await all.touch("w-1");
    expect(all.last).toMatchObject({ outcome: "failed", state: "working", failures: 1 });
    await all.clock.advance(119_999);
    expect(all.outcomes.map(({ state }) => state)).not.toContain("stuck");
    await all.clock.advance(10_000);
    expect(all.last).toMatchObject({ state: "stuck", failures: 8 });
    const since = all.of("state").map((state) => state.since);
    expect(new Set(since)).toEqual(new Set([all.of("run.end")[0]?.startedAt]));
    expect(all.loop.lastError).toBe("w-1: Sandbox gives this instance no provider ID.");
    thing.next = SETTLED;
    await all.touch("w-1");
    expect(all.last).toMatchObject({ state: "ok", failures: 0 });
    expect(all.loop.lastError).toBeUndefined();
  });

  it("starts its count anew for an object of the same name that was made anew", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [], FAILING);
    await all.touch("w-1");
    await all.touch("w-1");
    expect(all.last?.failures).toBe(2);
    all.thing("w-1", [], FAILING).uid = "uid-new";
    await all.touch("w-1");
    expect(all.last).toMatchObject({ failures: 1, object: { uid: "uid-new" } });
  });

  it.each([
    ["ProviderUnavailable", providerError("Unavailable"), "unknown"],
    ["ProviderUnauthorized", providerError("Unauthorized"), "unknown"],
    ["ProviderRefused", providerError("Invalid"), "working"],
    ["KubeUnavailable", kubeError("Unavailable"), "unknown"],
    ["KubeForbidden", kubeError("Forbidden"), "working"],
    ["Unexplained", new TypeError("x is not a function"), "working"],
  ] as const)("turns what is thrown into the reason %s", async (code, error, state) => {
    const all = new LoopFixture();
    all.thing("w-1");
    all.onObserve = () => Promise.reject(error);
    await all.touch("w-1");
    expect(all.last).toMatchObject({ outcome: "failed", reason: { code }, state, failures: 1 });
    await all.clock.advance(1_000);
    expect(all.last?.failures).toBe(2);
  });

  it("keeps what is known of an object that cannot be seen, but not as the cloud's news", async () => {
    const all = new LoopFixture();
    all.thing("w-1");
    await all.touch("w-1");
    all.onObserve = () => Promise.reject(providerError("Unavailable"));
    await all.touch("w-1");
    const [seen, unseen] = all.of("state");
    expect(seen?.cloud).toBeDefined();
    expect(unseen).toMatchObject({ name: "w-1", drift: "notChecked", detail: seen?.detail });
    expect(unseen?.cloud).toBeUndefined();
  });

  it("waits as long as the cloud asked and lets being throttled not grow the backoff", async () => {
    const all = new LoopFixture();
    all.thing("w-1");
    all.onObserve = () => Promise.reject(providerError("Throttled", 3_000));
    for (let round = 0; round < 5; round++) {
      await all.touch("w-1");
      expect(all.last?.nextAt).toBe(all.clock.now() + 3_000);
    }
    all.onObserve = () => Promise.resolve();
    await all.clock.advance(2_999);
    expect(all.last?.outcome).toBe("failed");
    await all.clock.advance(1);
    expect(all.last?.outcome).toBe("unchanged");
  });

  it("waits as long as the API server asked", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    all.onApply = () => Promise.reject(kubeError("Throttled", 9_000));
    await all.touch("w-1");
    expect(all.last).toMatchObject({
      reason: { code: "KubeThrottled" },
      nextAt: all.clock.now() + 9_000,
    });
  });

  it("observes and plans anew at once when the object changed under it", async () => {
    const all = new LoopFixture();
    const thing = all.thing("w-1", [change("w-1", "node.addresses.write"), change("w-1")]);
    let conflicts = 0;
    all.onApply = (wanted) => {
      if (wanted.kind !== "node.initialise" || conflicts > 0) return Promise.resolve();
      conflicts += 1;
      thing.wanted = [change("w-1", "node.labels.write"), ...thing.wanted.slice(1)];
      return Promise.reject(kubeError("Conflict"));
    };
    await all.touch("w-1");
    expect(all.outcomes).toMatchObject([{ outcome: "changed", applied: 2 }]);
    const kinds = (run: { readonly changes: readonly Change[] } | undefined) =>
      run?.changes.map(({ kind }) => kind);
    const last = ["node.addresses.write", "node.labels.write"];
    expect(all.of("run.start").map(kinds)).toEqual([
      ["node.addresses.write", "node.initialise"],
      last,
    ]);
    expect(kinds(all.of("run.end")[0])).toEqual(last);
    expect(all.of("audit").map(({ result }) => result)).toEqual(["applied", "applied"]);
  });

  it("backs off when it conflicts again and again", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    all.onApply = () => Promise.reject(kubeError("Conflict"));
    await all.touch("w-1");
    await all.clock.advance(500);
    expect(all.observed).toHaveLength(6);
    expect(all.outcomes).toMatchObject([
      { outcome: "failed", reason: { code: "KubeConflict" }, applied: 0 },
    ]);
    await all.clock.advance(1_000);
    expect(all.observed.length).toBeGreaterThan(6);
  });

  it("audits the first failure of each kind of change", async () => {
    const all = new LoopFixture();
    const thing = all.thing("w-1", [change("w-1", "node.addresses.write"), change("w-1")]);
    all.onApply = () => Promise.reject(kubeError("Unavailable"));
    await all.touch("w-1");
    await all.touch("w-1");
    thing.wanted = [change("w-1")];
    await all.touch("w-1");
    await all.touch("w-1");
    expect(all.of("audit").map(({ action, result }) => `${action} ${result}`)).toEqual([
      "node.addresses failed",
      "node.initialise failed",
    ]);
  });

  it("tells how far it came when a later write fails, and audits the failed one once", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1", "node.addresses.write"), change("w-1")]);
    all.onApply = (wanted) =>
      wanted.kind === "node.initialise"
        ? Promise.reject(kubeError("Forbidden"))
        : Promise.resolve();
    await all.touch("w-1");
    expect(all.of("run.end")).toMatchObject([
      { outcome: "failed", applied: 1, changes: [{}, {}], reason: { code: "KubeForbidden" } },
    ]);
    await all.touch("w-1");
    expect(all.of("audit").map(({ action, result }) => `${action} ${result}`)).toEqual([
      "node.addresses applied",
      "node.initialise failed",
    ]);
  });

  it("ends the run of an object whose name another took, and gives that one a run of its own", async () => {
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

  it("says that an object is gone once, and forgets it", async () => {
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

  it("fails the run whose projection has a defect, and goes on", async () => {
    const all = new LoopFixture();
    all.thing("w-1");
    all.thing("w-2");
    all.onProject = () => {
      throw new TypeError("no such field");
    };
    await all.touch("w-1");
    expect(all.last).toMatchObject({ outcome: "failed", reason: { message: "no such field" } });
    all.onProject = () => undefined;
    await all.touch("w-2");
    await all.clock.advance(1_000);
    expect(all.outcomes.slice(1)).toMatchObject([
      { outcome: "unchanged" },
      { outcome: "unchanged" },
    ]);
  });

  it("ends a run that takes too long", async () => {
    const all = new LoopFixture({ runTimeoutMs: 5_000 });
    all.thing("w-1");
    all.onObserve = hang;
    await all.touch("w-1");
    await all.clock.advance(5_000);
    expect(all.last).toMatchObject({ outcome: "timedOut", failures: 1, durationMs: 5_000 });
    expect(all.of("run.end")[0]?.reason).toMatchObject({ message: expect.stringMatching("5 s") });
    all.onObserve = () => Promise.resolve();
    await all.clock.advance(1_000);
    expect(all.last?.outcome).toBe("unchanged");
  });

  it("reports a run that ignores its end as wedged", async () => {
    const all = new LoopFixture({ runTimeoutMs: 5_000 });
    all.thing("w-1");
    all.onObserve = () => new Promise(() => undefined);
    await all.touch("w-1");
    await all.clock.advance(35_000);
    expect(all.loop.check()).toBeUndefined();
    await all.clock.advance(1);
    expect(all.loop.check()).toMatch(/^cloud-node-controller has been busy with w-1 for 35 s/);
  });

  it("observes more objects at a time than it writes", async () => {
    const all = new LoopFixture({ concurrency: 1, observing: 3 });
    let writing = 0;
    let most = 0;
    all.onApply = async () => {
      writing += 1;
      most = Math.max(most, writing);
      await new Promise<void>((resolve) => void all.clock.after(100, resolve));
      writing -= 1;
    };
    for (const name of ["w-1", "w-2", "w-3"]) {
      all.thing(name, [change(name)]);
      await all.touch(name);
    }
    expect(all.observed).toHaveLength(3);
    await all.clock.advance(300);
    expect(all.outcomes).toHaveLength(3);
    expect(most).toBe(1);
  });

  it("gives runs in bulk twice as many places to write, beside the others", async () => {
    const all = new LoopFixture({ concurrency: 1, observing: 5 });
    const sent: string[] = [];
    all.onApply = ({ target }) => {
      sent.push(target.name);
      return new Promise((resolve) => void all.clock.after(100, resolve));
    };
    for (const name of ["one", "two"]) all.thing(name, [change(name)]);
    for (const name of ["bulk-1", "bulk-2", "bulk-3"]) {
      all.thing(name, [change(name, "balancer.members")]);
    }
    for (const name of all.things.keys()) await all.touch(name);
    expect(sent).toEqual(["one", "bulk-1", "bulk-2"]);
    await all.clock.advance(200);
    expect(sent).toEqual(["one", "bulk-1", "bulk-2", "two", "bulk-3"]);
    expect(all.outcomes).toHaveLength(5);
  });

  it("looks again at what it wrote in bulk when the others have been sent", async () => {
    const all = new LoopFixture({ concurrency: 1, observing: 5 });
    const order: string[] = [];
    for (const name of ["b-1", "b-2", "b-3", "b-4"]) {
      all.thing(name, [change(name, "balancer.members")]).again = true;
    }
    all.onObserve = async (key, { written = [] }) => {
      if (written.length > 0) order.push(`${key} looked at again`);
    };
    all.onApply = ({ target }) => {
      order.push(`${target.name} sent`);
      return new Promise((resolve) => void all.clock.after(100, resolve));
    };
    for (const name of all.things.keys()) await all.touch(name);
    await all.clock.advance(1_000);
    expect(order.slice(0, 4)).toEqual(["b-1 sent", "b-2 sent", "b-3 sent", "b-4 sent"]);
    const again = ["b-1", "b-2", "b-3", "b-4"].map((name) => `${name} looked at again`);
    expect(new Set(order.slice(4))).toEqual(new Set(again));
  });

  it("changes its place when a later plan of the run is not in bulk any more", async () => {
    const all = new LoopFixture({ concurrency: 1, observing: 3 });
    const sent: string[] = [];
    const turning = all.thing("turning", [change("turning", "balancer.members")]);
    turning.again = true;
    all.thing("slow", [change("slow")]);
    all.onApply = ({ target, kind }) => {
      sent.push(`${target.name} ${kind}`);
      const tookMs = target.name === "slow" ? 500 : 100;
      if (target.name === "turning") turning.again = undefined;
      return new Promise((resolve) => void all.clock.after(tookMs, resolve));
    };
    await all.touch("slow");
    await all.touch("turning");
    turning.wanted = [change("turning")];
    await all.clock.advance(100);
    expect(sent).toEqual(["slow node.initialise", "turning balancer.members"]);
    await all.clock.advance(1_000);
    expect(sent).toEqual([
      "slow node.initialise",
      "turning balancer.members",
      "turning node.initialise",
    ]);
  });

  it("looks again before it writes when it had to wait long for its turn", async () => {
    const all = new LoopFixture({ concurrency: 1 });
    all.thing("slow", [change("slow")]);
    const waiting = all.thing("waiting", [change("waiting")]);
    all.onApply = ({ target }) =>
      target.name === "slow"
        ? new Promise((resolve) => void all.clock.after(3_000, resolve))
        : Promise.resolve();
    await all.touch("slow");
    await all.touch("waiting");
    waiting.wanted = [];
    await all.clock.advance(3_000);
    const ended = all.outcomes.find(({ object }) => object.name === "waiting");
    expect(ended).toMatchObject({ outcome: "unchanged", applied: 0 });
  });

  it("sends what waits for its turn to write before it writes down what has ended", async () => {
    const all = new LoopFixture({ concurrency: 1 });
    const order: string[] = [];
    for (const name of ["first", "second"]) all.thing(name, [change(name)]);
    all.onApply = async ({ target }) => {
      order.push(`${target.name} sent, ${all.outcomes.length} written down`);
      await new Promise<void>((resolve) => void all.clock.after(10, resolve));
    };
    await all.touch("first");
    await all.touch("second");
    await all.clock.advance(50);
    expect(order).toEqual(["first sent, 0 written down", "second sent, 0 written down"]);
    expect(all.outcomes).toHaveLength(2);
  });

  it("lets runs finish when it stops, and takes no more", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    all.onApply = () => new Promise((resolve) => void all.clock.after(1_000, resolve));
    await all.touch("w-1");
    let stopped = false;
    void all.loop.stop(5_000).then(() => {
      stopped = true;
    });
    await all.touch("w-2");
    await all.clock.advance(1_000);
    expect(stopped).toBe(true);
    expect(all.outcomes).toMatchObject([{ outcome: "changed" }]);
    expect(all.clock.pending).toBe(0);
  });

  it("interrupts at the deadline what does not finish, and writes it down", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1", "node.addresses.write"), change("w-1")]);
    all.onApply = (wanted, run) =>
      wanted.kind === "node.initialise" ? hang(wanted, run) : Promise.resolve();
    await all.touch("w-1");
    const stopping = all.loop.stop(5_000);
    await all.clock.advance(5_000);
    await stopping;
    expect(all.of("run.end")).toMatchObject([
      { outcome: "interrupted", applied: 1, reason: { code: "RunInterrupted" } },
    ]);
  });

  it("does not wait for ever for a run that ignores its end", async () => {
    const all = new LoopFixture();
    all.thing("w-1");
    all.onObserve = () => new Promise(() => undefined);
    await all.touch("w-1");
    const stopping = all.loop.stop(5_000);
    await all.clock.advance(7_000);
    await stopping;
    expect(all.of("run.end")).toEqual([]);
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

  it("survives a defect in who an object is", async () => {
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
