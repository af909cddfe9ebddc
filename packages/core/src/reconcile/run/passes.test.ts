import { ProviderError, type ProviderErrorCode } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { KubeError } from "../../kube/errors.ts";
import type { Change, ChangeKind } from "../../model/plan.ts";
import { change, LoopFixture } from "../testing/loop-fixture.ts";
import { ObserveAgain } from "./observe-again.ts";

function cloudError(code: ProviderErrorCode, more: Partial<ProviderError["call"]> = {}) {
  return new ProviderError(code, "it went wrong", {
    provider: "sandbox",
    operation: "PATCH /v1/load-balancers/{id}",
    ...more,
  });
}

function audited(all: LoopFixture): readonly string[] {
  return all.of("audit").map(({ action, result }) => `${action} ${result}`);
}

describe("a plan that asks for another plan", () => {
  /** Makes an object with these plans in turn; each but the last asks for the next. */
  function steps(kinds: readonly ChangeKind[], options = {}) {
    const all = new LoopFixture(options);
    const left = kinds.map((kind) => change("w-1", kind));
    const thing = all.thing("w-1");
    const written: (readonly Change[] | undefined)[] = [];
    all.onObserve = (_key, run) => {
      const next = left.shift();
      thing.wanted = next === undefined ? [] : [next];
      thing.again = next === undefined ? undefined : true;
      written.push(run.written.map((one) => one.change));
      return Promise.resolve();
    };
    return { all, written };
  }

  it("is followed in the same run until nothing is left, and everything is recorded", async () => {
    const { all, written } = steps(["service.finalizer.add", "balancer.create"]);
    await all.touch("w-1");
    expect(all.outcomes).toMatchObject([{ outcome: "changed", applied: 2 }]);
    expect(all.of("run.start")).toMatchObject([
      { id: all.last?.runId, changes: [{ kind: "service.finalizer.add" }] },
      {
        id: all.last?.runId,
        changes: [{ kind: "service.finalizer.add" }, { kind: "balancer.create" }],
      },
    ]);
    expect(all.of("run.end")).toMatchObject([
      { applied: 2, changes: [{ kind: "service.finalizer.add" }, { kind: "balancer.create" }] },
    ]);
    expect(audited(all)).toEqual(["service.finalizer applied", "balancer.create applied"]);
    expect(written.map((changes) => changes?.map(({ kind }) => kind))).toEqual([
      [],
      ["service.finalizer.add"],
      ["service.finalizer.add", "balancer.create"],
    ]);
  });

  it("is made once in a dry run", async () => {
    const { all } = steps(["service.finalizer.add", "balancer.create"], { dryRun: true });
    await all.touch("w-1");
    expect(all.observed).toHaveLength(1);
  });

  it("fails when it never settles", async () => {
    const { all } = steps(Array.from({ length: 40 }, () => "balancer.update"));
    await all.touch("w-1");
    expect(all.observed).toHaveLength(12);
    expect(all.last).toMatchObject({ outcome: "failed", reason: { code: "Unexplained" } });
    expect(all.last?.reason).toMatchObject({ message: expect.stringMatching(/did not settle/) });
  });

  it("keeps what was written when a later plan fails", async () => {
    const { all } = steps(["service.finalizer.add", "balancer.create"]);
    all.onApply = ({ kind }) =>
      kind === "balancer.create" ? Promise.reject(cloudError("QuotaExceeded")) : Promise.resolve();
    await all.touch("w-1");
    expect(all.of("run.end")).toMatchObject([{ outcome: "failed", applied: 1, changes: [{}, {}] }]);
    expect(audited(all)).toEqual(["service.finalizer applied", "balancer.create failed"]);
  });
});

describe("a write that revealed something to the reconciler", () => {
  it("is planned again in the same run, without a pause", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1", "balancer.members")]);
    let refused = 0;
    all.onApply = () => {
      refused += 1;
      const cause = cloudError("Invalid", { status: 400, member: `m-${refused}` });
      return refused > 2
        ? Promise.resolve()
        : Promise.reject(new ObserveAgain(`m-${refused}`, cause));
    };
    await all.touch("w-1");
    expect(all.outcomes).toMatchObject([{ outcome: "changed", applied: 1 }]);
    expect(all.observed).toHaveLength(3);
  });

  it("fails with its cause when it reveals the same thing again", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1", "balancer.members")]);
    const cause = cloudError("Invalid", { status: 400, member: "m-1" });
    all.onApply = () => Promise.reject(new ObserveAgain("m-1", cause));
    await all.touch("w-1");
    expect(all.observed).toHaveLength(2);
    expect(all.last).toMatchObject({ outcome: "failed", reason: { code: "ProviderRefused" } });
    expect(audited(all)).toEqual(["balancer.members failed"]);
  });
});

describe("a write whose answer was lost", () => {
  const lost = () => cloudError("Unavailable", { mayBeDone: true });

  it.each([
    ["by the cloud", lost()],
    [
      "by the API server",
      new KubeError("Unavailable", "no complete answer arrived", {
        verb: "patch",
        resource: "services/status",
        status: 0,
        mayBeDone: true,
      }),
    ],
  ])("%s is audited as unknown", async (_by, error) => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1", "service.status.write")]);
    all.onApply = () => Promise.reject(error);
    await all.touch("w-1");
    expect(audited(all)).toEqual(["service.status unknown"]);
  });

  it("has an entry of its own after one that was refused for the same reason", async () => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1", "balancer.create")]);
    all.onApply = () => Promise.reject(cloudError("Unavailable", { status: 503 }));
    await all.touch("w-1");
    await all.touch("w-1");
    all.onApply = () => Promise.reject(lost());
    await all.touch("w-1");
    await all.touch("w-1");
    expect(audited(all)).toEqual(["balancer.create failed", "balancer.create unknown"]);
  });

  it("is audited even when the run was aborted meanwhile", async () => {
    const all = new LoopFixture({ runTimeoutMs: 1_000 });
    all.thing("w-1", [change("w-1", "balancer.create")]);
    all.onApply = (_change, run) =>
      new Promise((_resolve, reject) => {
        run.signal.addEventListener("abort", () => reject(lost()));
      });
    await all.touch("w-1");
    await all.clock.advance(1_000);
    expect(all.last?.outcome).toBe("timedOut");
    expect(audited(all)).toEqual(["balancer.create unknown"]);
  });
});

describe("a failure that names a time to retry", () => {
  const kube = { verb: "patch", resource: "services/status", status: 503, retryAfterMs: 7_000 };

  it.each([
    ["throttled by the cloud", cloudError("Throttled", { status: 429, retryAfterMs: 7_000 })],
    ["the cloud is busy", cloudError("Unavailable", { status: 503, retryAfterMs: 7_000 })],
    ["a quota", cloudError("QuotaExceeded", { status: 409, retryAfterMs: 7_000 })],
    ["the API server is busy", new KubeError("Unavailable", "busy", kube)],
  ])("is retried then, whatever its backoff: %s", async (_what, error) => {
    const all = new LoopFixture();
    all.thing("w-1", [change("w-1")]);
    all.onApply = () => Promise.reject(error);
    for (const time of [1, 2, 3]) {
      if (time === 1) await all.touch("w-1");
      else await all.clock.advance(7_000);
      expect(all.outcomes).toHaveLength(time);
      expect(all.last?.nextAt).toBe(all.clock.now() + 7_000);
    }
  });

  it("is also retried then when only its plan has the time", async () => {
    const all = new LoopFixture();
    const reason = {
      code: "ProviderUnavailable",
      provider: "sandbox",
      operation: "GET /v1/load-balancers",
      message: "busy",
      retryAfterMs: 9_000,
    } as const;
    all.thing("w-1", [], { kind: "failed", reason });
    await all.touch("w-1");
    expect(all.last?.nextAt).toBe(all.clock.now() + 9_000);
  });

  it("is retried after its backoff when that time is now, or when it only states how long we waited", async () => {
    for (const error of [
      cloudError("Unavailable", { status: 503, retryAfterMs: 0 }),
      cloudError("TimedOut", { retryAfterMs: 30_000 }),
    ]) {
      const all = new LoopFixture();
      all.thing("w-1", [change("w-1")]);
      all.onApply = () => Promise.reject(error);
      await all.touch("w-1");
      expect(all.last?.nextAt).toBe(all.clock.now() + 1_000);
    }
  });
});
