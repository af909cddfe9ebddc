import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../model/testing/manual-clock.ts";
import type { WorkQueueMetrics } from "./metrics.ts";
import type { QueueItem, QueuePriority } from "./port.ts";
import { createWorkQueue, type MeasuredWorkQueue } from "./work-queue.ts";

interface Fixture {
  readonly clock: ManualClock;
  readonly queue: MeasuredWorkQueue<string>;
  readonly seen: string[];
  readonly metrics: { adds: number; retries: number; queued: number[]; worked: number[] };
}

function fixture(jitter = 0): Fixture {
  const clock = createManualClock();
  const metrics = { adds: 0, retries: 0, queued: [] as number[], worked: [] as number[] };
  const hooks: WorkQueueMetrics = {
    added: () => void metrics.adds++,
    retried: () => void metrics.retries++,
    queued: (seconds) => void metrics.queued.push(seconds),
    worked: (seconds) => void metrics.worked.push(seconds),
  };
  const queue = createWorkQueue<string>({
    name: "Nodes",
    clock,
    random: () => 1,
    backoff: { baseMs: 5, maxMs: 1_000_000, jitter },
    merge: (earlier, later) => `${earlier}+${later}`,
    metrics: hooks,
  });
  return { clock, queue, seen: [], metrics };
}

/** Takes keys and finishes each at once, forever. */
async function serve({ queue, seen }: Fixture): Promise<void> {
  for (let item = await queue.take(); item !== undefined; item = await queue.take()) {
    seen.push(item.key);
    queue.done(item.key);
  }
}

async function taken(queue: MeasuredWorkQueue<string>): Promise<QueueItem<string>> {
  const item = await queue.take();
  if (item === undefined) throw new Error("the queue was shut down");
  return item;
}

describe("work queue", () => {
  it("gathers keys while it is paused and hands them out afterwards", async () => {
    const all = fixture();
    const { queue, clock, seen } = all;
    void serve(all);
    await queue.pause();
    queue.add("now", "w");
    queue.addAfter("later", "w", 1_000);
    queue.add("now", "again");
    await clock.advance(1_000);
    expect([seen, queue.depth, queue.oldestMs]).toEqual([[], 2, 1_000]);
    queue.resume();
    await clock.advance(0);
    expect(seen).toEqual(["now", "later"]);
  });

  it("is paused when work on the last key has ended, or when it is resumed", async () => {
    const { queue, clock } = fixture();
    let paused = 0;
    queue.add("k", "w");
    await taken(queue);
    void queue.pause().then(() => paused++);
    await clock.advance(0);
    expect(paused).toBe(0);
    queue.done("k");
    await clock.advance(0);
    expect(paused).toBe(1);
    queue.resume();
    queue.add("k", "w");
    await taken(queue);
    void queue.pause().then(() => paused++);
    queue.resume();
    await clock.advance(0);
    expect(paused).toBe(2);
  });

  it("can be shut down while it is paused", async () => {
    const { queue } = fixture();
    await queue.pause();
    queue.add("k", "w");
    const waiting = queue.take();
    await queue.shutDown();
    expect(await waiting).toBeUndefined();
  });

  it("hands out more urgent keys first, and longer waiting ones among equals", async () => {
    const { queue, clock } = fixture();
    queue.add("background", "w", "background");
    await clock.advance(1);
    queue.add("first change", "w");
    await clock.advance(1);
    queue.add("second change", "w");
    queue.add("person", "w", "person");
    const order = [];
    for (let count = 0; count < 4; count++) order.push((await taken(queue)).key);
    expect(order).toEqual(["person", "first change", "second change", "background"]);
  });

  it("merges repeats, keeping the higher priority and the earlier due time", async () => {
    const { queue, clock, metrics } = fixture();
    queue.add("node", "a", "background");
    await clock.advance(70);
    queue.add("node", "b", "person");
    const item = await taken(queue);
    expect(item).toEqual({
      key: "node",
      why: "a+b",
      priority: "person",
      queuedMs: 70,
      failures: 0,
    });
    expect(queue.depth).toBe(0);
    expect(metrics.adds).toBe(1);
  });

  it("runs a key once more if it was added during its work", async () => {
    const { queue, clock } = fixture();
    queue.add("node", "a");
    await taken(queue);
    queue.add("node", "b");
    queue.add("node", "c");
    let again: QueueItem<string> | undefined;
    void queue.take().then((item) => {
      again = item;
    });
    await clock.advance(1_000);
    expect(again).toBeUndefined();
    queue.done("node");
    await clock.advance(0);
    expect(again).toMatchObject({ key: "node", why: "b+c", queuedMs: 1_000 });
  });

  it("returns a key at its time and not before", async () => {
    const all = fixture();
    void serve(all);
    all.queue.addAfter("late", "w", 500);
    all.queue.addAfter("later", "w", 900);
    await all.clock.advance(499);
    expect(all.seen).toEqual([]);
    await all.clock.advance(1);
    expect(all.seen).toEqual(["late"]);
    await all.clock.advance(400);
    expect(all.seen).toEqual(["late", "later"]);
  });

  it("moves a waiting key forward but never back", async () => {
    const all = fixture();
    void serve(all);
    all.queue.addAfter("node", "w", 500);
    all.queue.addAfter("node", "w", 900);
    all.queue.addAfter("node", "w", 100);
    await all.clock.advance(100);
    expect(all.seen).toEqual(["node"]);
    await all.clock.advance(5_000);
    expect(all.seen).toEqual(["node"]);
  });

  it("lets a change of the object bypass its backoff", async () => {
    const { queue, clock } = fixture();
    for (let failure = 0; failure < 10; failure++) queue.addFailed("node", "failed");
    let item: QueueItem<string> | undefined;
    void queue.take().then((got) => {
      item = got;
    });
    await clock.advance(1);
    expect(item).toBeUndefined();
    queue.add("node", "changed");
    await clock.advance(0);
    expect(item).toMatchObject({ key: "node", failures: 10, queuedMs: 0 });
  });

  it("doubles the backoff per key from 5 ms to its cap, and forgets it", () => {
    const { queue } = fixture();
    const delays = Array.from({ length: 19 }, () => queue.addFailed("node", "w"));
    expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(delays[17]).toBe(655_360);
    expect(delays[18]).toBe(1_000_000);
    expect(queue.addFailed("other", "w")).toBe(5);
    queue.forget("node");
    expect(queue.addFailed("node", "w")).toBe(5);
  });

  it("waits at least as long as requested, and spreads by its jitter", () => {
    const { queue } = fixture(0.1);
    expect(queue.addFailed("node", "w", 3_000)).toBe(3_000);
    expect(queue.addFailed("node", "w")).toBeCloseTo(11);
  });

  it("hands out nothing after its shutdown and waits for work in progress", async () => {
    const { queue, clock } = fixture();
    queue.add("running", "w");
    await taken(queue);
    queue.add("due", "w");
    let drained = false;
    void queue.shutDown().then(() => {
      drained = true;
    });
    expect(await queue.take()).toBeUndefined();
    await clock.advance(10);
    expect(drained).toBe(false);
    queue.done("running");
    await clock.advance(0);
    expect(drained).toBe(true);
    queue.add("too late", "w");
    expect(await queue.take()).toBeUndefined();
  });

  it("releases waiting takers at its shutdown", async () => {
    const { queue } = fixture();
    const waiting = queue.take();
    await queue.shutDown();
    expect(await waiting).toBeUndefined();
  });

  it("supports timers of many weeks", async () => {
    const all = fixture();
    void serve(all);
    const weeksMs = 60 * 24 * 3_600_000;
    all.queue.addAfter("node", "w", weeksMs);
    await all.clock.advance(weeksMs - 1);
    expect(all.seen).toEqual([]);
    await all.clock.advance(1);
    expect(all.seen).toEqual(["node"]);
  });

  it("measures waiting and work by upstream's definitions", async () => {
    const { queue, clock, metrics } = fixture();
    queue.add("node", "w");
    await clock.advance(2_000);
    expect(queue.oldestMs).toBe(2_000);
    await taken(queue);
    queue.add("other", "w");
    await taken(queue);
    await clock.advance(3_000);
    expect([queue.working, queue.unfinishedMs, queue.longestRunningMs]).toEqual([2, 6_000, 3_000]);
    queue.done("node");
    queue.done("other");
    queue.addFailed("node", "w");
    expect(metrics).toEqual({ adds: 2, retries: 1, queued: [2, 0], worked: [3, 3] });
  });

  it("keeps its guarantees under any sequence of commands", async () => {
    await fc.assert(fc.asyncProperty(fc.array(command(), { maxLength: 80 }), playAndCheck));
  });
});

type Command =
  | { readonly do: "add"; readonly key: string; readonly priority: QueuePriority }
  | { readonly do: "after" | "failed"; readonly key: string; readonly ms: number }
  | { readonly do: "take" | "done" }
  | { readonly do: "advance"; readonly ms: number };

function command(): fc.Arbitrary<Command> {
  const key = fc.constantFrom("a", "b", "c", "d");
  const ms = fc.integer({ min: 0, max: 50 });
  const priority = fc.constantFrom<QueuePriority>("person", "change", "background");
  return fc.oneof(
    fc.record({ do: fc.constant("add" as const), key, priority }),
    fc.record({ do: fc.constantFrom("after" as const, "failed" as const), key, ms }),
    fc.record({ do: fc.constantFrom("take" as const, "done" as const) }),
    fc.record({ do: fc.constant("advance" as const), ms }),
  );
}

/** One worker per key at a time, nothing before it is due, nothing lost, nothing twice for one request. */
async function playAndCheck(commands: readonly Command[]): Promise<void> {
  const play = new Play();
  for (const step of commands) await play.step(step);
  await play.finishAll();
  expect(play.open).toEqual([]);
}

class Play {
  readonly #all = fixture();
  readonly #working = new Set<string>();
  readonly #dueAt = new Map<string, number>();

  get open(): readonly string[] {
    return [...this.#dueAt.keys()];
  }

  async step(step: Command): Promise<void> {
    const { queue, clock } = this.#all;
    switch (step.do) {
      case "add":
        queue.add(step.key, "w", step.priority);
        return this.#options(step.key, 0);
      case "after":
        queue.addAfter(step.key, "w", step.ms);
        return this.#options(step.key, step.ms);
      case "failed":
        return this.#options(step.key, queue.addFailed(step.key, "w", step.ms));
      case "advance":
        return clock.advance(step.ms);
      case "take":
        return this.#take();
      case "done":
        return this.#finishOne();
    }
  }

  async finishAll(): Promise<void> {
    const { queue, clock } = this.#all;
    while (this.#working.size > 0) this.#finishOne();
    await clock.advance(10_000_000);
    while (queue.depth > 0) {
      await this.#take();
      this.#finishOne();
    }
  }

  #options(key: string, afterMs: number): void {
    const at = this.#all.clock.monotonic() + afterMs;
    this.#dueAt.set(key, Math.min(at, this.#dueAt.get(key) ?? Number.POSITIVE_INFINITY));
  }

  async #take(): Promise<void> {
    const { queue, clock } = this.#all;
    if (queue.depth === 0) return;
    const { key } = await taken(queue);
    expect(this.#working.has(key)).toBe(false);
    expect(this.#dueAt.get(key)).toBeLessThanOrEqual(clock.monotonic());
    this.#working.add(key);
    this.#dueAt.delete(key);
  }

  #finishOne(): void {
    const [key] = this.#working;
    if (key === undefined) return;
    this.#working.delete(key);
    this.#all.queue.done(key);
  }
}
