import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import type { RunOutcome } from "./loop-port.ts";
import { createRecovery, type Recovery } from "./recovery.ts";
import { LoopFixture } from "./testing/loop-fixture.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DOWN = new ProviderError("Unavailable", "down", { provider: "p", operation: "GET" });

/** Returns a loop whose cloud fails for the keys that `isDown` names. */
function fixture(names: readonly string[]) {
  const state = { isDown: (_key: string): boolean => true, error: DOWN };
  const outcomes: RunOutcome[] = [];
  let recovery: Recovery | undefined;
  const all = new LoopFixture({
    onOutcome: (outcome) => {
      outcomes.push(outcome);
      recovery?.ended(outcome.object.name, outcome);
    },
  });
  const { queue, clock } = all;
  recovery = createRecovery({ queue, clock });
  all.onObserve = (key) => (state.isDown(key) ? Promise.reject(state.error) : Promise.resolve());
  for (const name of names) {
    all.thing(name);
    queue.add(name, { kind: "change", what: "created" });
  }
  const isWell = (name: string) =>
    outcomes.findLast(({ object }) => object.name === name)?.outcome === "unchanged";
  return { all, clock, state, outcomes, recovery, isWell };
}

function named(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `n-${index}`);
}

describe("after an hour without a cloud", () => {
  it.each([1, 2, 40])("%i keys recover within a minute", async (count) => {
    const names = named(count);
    const { clock, state, isWell } = fixture(names);
    await clock.advance(HOUR_MS);
    expect(names.some(isWell)).toBe(false);
    state.isDown = () => false;
    await clock.advance(MINUTE_MS);
    expect(names.filter((name) => !isWell(name))).toEqual([]);
  });

  it("each key was tried only as its backoff allows, except for one key every 20 s", async () => {
    const { clock, outcomes } = fixture(named(40));
    await clock.advance(HOUR_MS);
    const before = outcomes.length;
    await clock.advance(10 * MINUTE_MS);
    const byBackoff = (40 * 10 * MINUTE_MS) / 300_000;
    const tried = (10 * MINUTE_MS) / 20_000;
    expect(outcomes.length - before).toBeLessThanOrEqual(byBackoff + tried);
  });
});

it("a key that failed a moment ago keeps its short backoff although another one has recovered", async () => {
  const { all, clock, state, outcomes } = fixture(["other"]);
  await clock.advance(MINUTE_MS);
  all.thing("late");
  await all.touch("late");
  state.isDown = (key) => key === "late";
  await all.touch("other");
  const times = () => outcomes.filter(({ object }) => object.name === "late").length;
  await clock.advance(999);
  expect(times()).toBe(1);
  await clock.advance(1);
  expect(times()).toBe(2);
});

it("a key that failed just before the cloud recovered is not forgotten", async () => {
  const { all, clock, state, isWell } = fixture(named(5));
  await clock.advance(HOUR_MS);
  for (const name of named(5)) await all.touch(name);
  state.isDown = () => false;
  await all.touch("n-0");
  await clock.advance(MINUTE_MS);
  expect(named(5).filter((name) => !isWell(name))).toEqual([]);
});

it("a key that fails permanently does not come back more often because others recover and fail again", async () => {
  const { all, clock, state, outcomes } = fixture(["bad", "flaky"]);
  await clock.advance(HOUR_MS);
  const before = outcomes.filter(({ object }) => object.name === "bad").length;
  let startThrottle = 0;
  state.isDown = (key) => key === "bad" || startThrottle++ % 2 === 0;
  for (let second = 0; second < 60; second++) {
    await all.touch("flaky");
    await clock.advance(1_000);
  }
  const after = outcomes.filter(({ object }) => object.name === "bad").length;
  expect(after - before).toBeGreaterThan(0);
  expect(after - before).toBeLessThanOrEqual(60 / 10 + 60 / 20 + 1);
});

it("a key with a set time to come back comes back at that time", async () => {
  const { clock, state, outcomes } = fixture(["n"]);
  state.error = new ProviderError("Throttled", "slow down", {
    provider: "p",
    operation: "GET",
    retryAfterMs: 10 * MINUTE_MS,
  });
  await clock.advance(9 * MINUTE_MS);
  expect(outcomes).toHaveLength(1);
});

it.each(["HeldByAnnotation", "ObjectGone"] as const)(
  "a key that ends with %s wakes nobody: nobody was asked about it",
  async (code) => {
    const { clock, outcomes, recovery } = fixture(["n", "other"]);
    await clock.advance(HOUR_MS);
    const before = outcomes.length;
    recovery.ended("other", { outcome: "unchanged", reason: { code } });
    await clock.advance(0);
    expect(outcomes).toHaveLength(before);
  },
);

it("nothing is tried after the stop", async () => {
  const { clock, recovery } = fixture(["n"]);
  await clock.advance(0);
  const pending = clock.pending;
  recovery.stop();
  expect(clock.pending).toBe(pending - 1);
});
