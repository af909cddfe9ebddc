import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { KubeError } from "../kube/errors.ts";
import type { Change } from "../model/plan.ts";
import {
  FAILING,
  HELD,
  hang,
  kubeError,
  PASSING,
  providerError,
  REFUSED,
} from "./testing/loop-context.ts";
import { change, LoopFixture, SETTLED } from "./testing/loop-fixture.ts";

describe("a run of the controller loop that does not succeed", () => {
  it.each([
    ["cloud", new ProviderError("Invalid", "not with Bearer hunter2hunter2", REFUSED)],
    [
      "API server",
      new KubeError("Invalid", "not with password=hunter2", { verb: "get", resource: "x" }),
    ],
    ["library", new Error("https://bo:hunter2@proxy.example is down")],
  ])("records no secret that a %s contained", async (_who, error) => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    all.onApply = () => Promise.reject(error);
    await all.touch("w-1");
    expect(all.of("run.end")).toHaveLength(1);
    expect(JSON.stringify([all.records, all.last, all.loop.lastError])).not.toContain("hunter2");
  });

  it("comes back after the time that its plan names, without counting a failure", async () => {
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

  it("does not retry a blocked object by itself", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [], { kind: "blocked", reason: { code: "InstanceUnclaimed", provider: "s" } });
    await all.touch("w-1");
    await all.clock.advance(10_000_000);
    expect(all.outcomes).toMatchObject([{ outcome: "blocked", state: "stuck", nextAt: undefined }]);
  });

  it("reports a held object as held, and the run that skips it as no failure", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [], HELD);
    await all.touch("w-1");
    expect(all.last).toMatchObject({ outcome: "unchanged", state: "held", nextAt: undefined });
  });

  it("reports an object as waiting when its plan is done but its machine is not", async () => {
    const all = new LoopFixture();
    const reason = { code: "InstanceStopped", provider: "s", state: "stopped" } as const;
    all.thing("w-1", [], { kind: "settled", reason });
    await all.touch("w-1");
    expect(all.last).toMatchObject({ outcome: "unchanged", state: "waiting" });
  });

  it("backs off while it fails, and is stuck after three failures and two minutes", async () => {
    const all = new LoopFixture();
    const thing = all.thing("w-1", [], PASSING);
    await all.touch("w-1");
    expect(all.last).toMatchObject({ outcome: "failed", state: "working", failures: 1 });
    await all.clock.advance(119_999);
    expect(all.outcomes.map(({ state }) => state)).not.toContain("stuck");
    await all.clock.advance(10_000);
    expect(all.last).toMatchObject({ state: "stuck", failures: 8 });
    const since = all.of("state").map((state) => state.since);
    expect(new Set(since)).toEqual(new Set([all.of("run.end")[0]?.startedAt]));
    expect(all.loop.lastError).toMatch(/^w-1: Cause unknown/);
    thing.next = SETTLED;
    await all.touch("w-1");
    expect(all.last).toMatchObject({ state: "ok", failures: 0 });
    expect(all.loop.lastError).toBeUndefined();
  });

  it("is stuck at once when only a user can fix the cause, and keeps trying", async () => {
    const all = new LoopFixture();
    const thing = all.thing("w-1", [], FAILING);
    await all.touch("w-1");
    expect(all.last).toMatchObject({ outcome: "failed", state: "stuck", failures: 1 });
    expect(all.loop.lastError).toBe("w-1: Sandbox reports no provider ID for this instance.");
    await all.clock.advance(10_000);
    expect(all.last?.failures).toBeGreaterThan(1);
    thing.next = SETTLED;
    await all.touch("w-1");
    expect(all.last).toMatchObject({ state: "ok", failures: 0 });
  });

  it.each([
    [
      "the cloud",
      new ProviderError("Unavailable", "not sent", {
        provider: "sandbox",
        operation: "POST /v1/routes",
        fenced: true,
      }),
    ],
    [
      "the cluster",
      new KubeError("Unavailable", "not sent", { verb: "patch", resource: "nodes", fenced: true }),
    ],
  ])(
    "does not count a write to %s that the lost Lease held back as a failure",
    async (_of, error) => {
      const all = new LoopFixture();
      all.thing("w-1");
      all.onObserve = () => Promise.reject(error);
      await all.touch("w-1");
      const heldBack = { outcome: "interrupted", state: "working", failures: 0 };
      expect(all.last).toMatchObject({ ...heldBack, reason: { code: "LeaseLost" } });
      await all.clock.advance(200_000);
      expect(all.outcomes.length).toBeGreaterThan(3);
      expect(all.last).toMatchObject(heldBack);
      all.onObserve = () => Promise.resolve();
      await all.clock.advance(1_000_000);
      expect(all.last).toMatchObject({ state: "ok" });
    },
  );

  it("restarts its failure count when the object was recreated under the same name", async () => {
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
    ["ProviderUnauthorized", providerError("Unauthorized"), "stuck"],
    ["ProviderRefused", providerError("Invalid"), "stuck"],
    ["KubeUnavailable", kubeError("Unavailable"), "unknown"],
    ["KubeForbidden", kubeError("Forbidden"), "stuck"],
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

  it("keeps the last known state of an object that it cannot observe, but does not show it as fresh from the cloud", async () => {
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

  it("waits as long as the cloud asked, and throttling does not grow the backoff", async () => {
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

  it("observes and plans again at once when the object changed under it", async () => {
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

  it("backs off when it keeps meeting conflicts", async () => {
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

  it("reports how far it got when a later write fails, and audits the failed one once", async () => {
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

  it("reports a run that ignores its abort as wedged", async () => {
    const all = new LoopFixture({ runTimeoutMs: 5_000 });
    all.thing("w-1");
    all.onObserve = () => new Promise(() => undefined);
    await all.touch("w-1");
    await all.clock.advance(35_000);
    expect(all.loop.check()).toBeUndefined();
    await all.clock.advance(1);
    expect(all.loop.check()).toMatch(/^cloud-node-controller has been busy with w-1 for 35 s/);
  });
});

describe("the Events of outcomes", () => {
  const forbidden = new ProviderError("Unauthorized", "no", { provider: "p", operation: "GET" });
  const failing = (options: ConstructorParameters<typeof LoopFixture>[0] = {}) => {
    const fixture = new LoopFixture(options);
    fixture.thing("n1");
    fixture.onObserve = () => Promise.reject(forbidden);
    return fixture;
  };
  const reported = ({ effects }: LoopFixture) =>
    effects.map((effect) =>
      effect.kind === "event" ? [effect.target.uid, effect.event.reason] : effect.kind,
    );

  it("are emitted once while one object keeps failing for the same reason, and separately for another object", async () => {
    const fixture = failing();
    await fixture.touch("n1");
    await fixture.touch("n1");
    expect(reported(fixture)).toEqual([["uid-n1", "ProviderUnauthorized"]]);
    fixture.thing("n1").uid = "uid-2";
    await fixture.touch("n1");
    expect(reported(fixture)).toEqual([
      ["uid-n1", "ProviderUnauthorized"],
      ["uid-2", "ProviderUnauthorized"],
    ]);
  });

  it("use the controller's wording", async () => {
    const fixture = failing({
      wording: () => ({ type: "Warning", reason: "SyncFailed", message: "It failed." }),
    });
    await fixture.touch("n1");
    expect(reported(fixture)).toEqual([["uid-n1", "SyncFailed"]]);
  });

  it("are not emitted by a dry run or a preview", async () => {
    const dry = failing({ dryRun: true });
    await dry.touch("n1");
    const fixture = failing();
    const { signal } = new AbortController();
    await expect(
      fixture.loop.preview("n1", { trigger: { kind: "start" }, signal }),
    ).rejects.toThrow();
    expect([reported(dry), reported(fixture)]).toEqual([[], []]);
  });
});
