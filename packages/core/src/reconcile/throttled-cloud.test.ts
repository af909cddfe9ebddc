import {
  type CallContext,
  type InstanceRef,
  instanceKey,
  isProviderError,
  type Lookup,
  ProviderError,
} from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { createCloudBudget } from "../cloud/calls/budget.ts";
import { createCallContexts } from "../cloud/calls/call-context.ts";
import { createInstanceDirectory } from "../cloud/instances/instance-directory.ts";
import { createManualClock } from "../model/testing/manual-clock.ts";
import { change, LoopFixture } from "./testing/loop-fixture.ts";

const LIST = { operation: "GET /v1/instances", target: "many", mutates: false };

/** Joins loop, directory and budget, with a cloud that answers 429 this many times and then succeeds. */
function fixture(refusals: number, retryAfterMs: number) {
  const clock = createManualClock();
  const provider = "sandbox";
  const sentAt: number[] = [];
  const send = async () => {
    sentAt.push(clock.monotonic());
    if (sentAt.length > refusals) return { value: undefined, status: 200 };
    const call = { provider, operation: LIST.operation, status: 429, retryAfterMs };
    throw new ProviderError("Throttled", "Too many requests.", call);
  };
  const describeAll = async (
    refs: readonly InstanceRef[],
    _options: object,
    cloud: CallContext,
  ) => {
    const answer = await cloud.call(LIST, send).then(
      (): Lookup => ({ kind: "unclaimed" }),
      (error: unknown): Lookup => {
        if (isProviderError(error)) return { kind: "failed", error };
        throw error;
      },
    );
    return new Map(refs.map((ref) => [instanceKey(ref), answer]));
  };
  const budget = createCloudBudget({ provider, clock });
  const directory = createInstanceDirectory({
    instances: { describe: describeAll },
    contexts: createCallContexts({ provider, clock, budget, fence: () => true }),
    clock,
    budgetWaitMs: () => budget.waitMs(),
  });
  const all = new LoopFixture({ observing: 64 }, clock);
  all.onObserve = async (nodeName, run) => {
    const ref = { nodeName, providerID: undefined };
    const action = { maxAgeMs: 0, mode: "batch", priority: run.priority } as const;
    const lookup = await run.cloud(directory).lookup(ref, action);
    if (lookup.kind === "failed") throw lookup.error;
  };
  return { all, clock, sentAt };
}

describe("a cloud that throttles", () => {
  it("gets no call before its Retry-After has passed, and every node is synced afterwards", async () => {
    const { all, clock, sentAt } = fixture(2, 3_000);
    for (const name of ["w-1", "w-2", "w-3", "w-4", "w-5"]) {
      all.thing(name, [change(name)]);
      all.queue.add(name, { kind: "change", what: "created" });
    }
    await clock.advance(0);
    expect(all.outcomes.map(({ reason }) => reason.code)).toEqual(
      new Array(5).fill("ProviderThrottled"),
    );
    await clock.advance(1_500);
    await all.touch("w-3");
    await clock.advance(10_000);
    const done = all.outcomes.filter(({ outcome }) => outcome === "changed");
    expect(new Set(done.map(({ object }) => object.name)).size).toBe(5);
    expect(sentAt.slice(0, 3)).toEqual([0, 3_000, 6_000]);
    expect(sentAt.length).toBeLessThanOrEqual(5);
  });

  it("does not block workers during a long Retry-After", async () => {
    const { all, clock, sentAt } = fixture(1, 60_000);
    all.thing("w-1");
    await all.touch("w-1");
    await clock.advance(5_000);
    await all.touch("w-1");
    await clock.advance(1_000);
    expect(all.outcomes).toMatchObject([
      { reason: { code: "ProviderThrottled", retryAfterMs: 60_000 } },
      { reason: { code: "ProviderThrottled", operation: LIST.operation } },
    ]);
    expect(all.queue.working).toBe(0);
    await clock.advance(60_000);
    expect(all.last?.outcome).toBe("unchanged");
    expect(sentAt[1]).toBe(60_000);
  });
});
