import { describe, expect, it } from "vitest";
import { hang } from "./testing/loop-context.ts";
import { change, LoopFixture } from "./testing/loop-fixture.ts";

describe("the writes of the controller loop", () => {
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

  it("gives bulk runs eight times as many write slots, separate from the others", async () => {
    const all = new LoopFixture({ concurrency: 1, observing: 20 });
    const bulk = namesOf("bulk", 9);
    const sent: string[] = [];
    all.onApply = ({ target }) => {
      sent.push(target.name);
      return new Promise((resolve) => void all.clock.after(100, resolve));
    };
    for (const name of ["one", "two"]) all.thing(name, [change(name)]);
    for (const name of bulk) all.thing(name, [change(name, "balancer.members")]);
    for (const name of all.things.keys()) await all.touch(name);
    expect(sent).toEqual(["one", ...bulk.slice(0, 8)]);
    await all.clock.advance(200);
    expect(sent).toEqual(["one", ...bulk.slice(0, 8), "two", "bulk-9"]);
    expect(all.outcomes).toHaveLength(11);
  });

  it("observes again what it wrote in bulk once the other writes have been sent", async () => {
    const all = new LoopFixture({ concurrency: 1, observing: 20 });
    const order: string[] = [];
    const names = namesOf("b", 10);
    for (const name of names) all.thing(name, [change(name, "balancer.members")]).again = true;
    all.onObserve = async (key, { written = [] }) => {
      if (written.length > 0) order.push(`${key} looked at again`);
    };
    all.onApply = ({ target }) => {
      order.push(`${target.name} sent`);
      return new Promise((resolve) => void all.clock.after(100, resolve));
    };
    for (const name of all.things.keys()) await all.touch(name);
    await all.clock.advance(1_000);
    expect(order.slice(0, 10)).toEqual(names.map((name) => `${name} sent`));
    const again = names.map((name) => `${name} looked at again`);
    expect(new Set(order.slice(10))).toEqual(new Set(again));
  });

  it("moves to the other pool when a later plan of the run is no longer in bulk", async () => {
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

  it("observes again before it writes when it waited long for a write slot", async () => {
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

  it("sends the writes that wait for a slot before it records the runs that have ended", async () => {
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

  it("lets runs finish when it stops, and takes no more keys", async () => {
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

  it("aborts runs that have not finished at the deadline, and records them as interrupted", async () => {
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

  it("does not wait forever for a run that ignores its abort", async () => {
    const all = new LoopFixture();
    all.thing("w-1");
    all.onObserve = () => new Promise(() => undefined);
    await all.touch("w-1");
    const stopping = all.loop.stop(5_000);
    await all.clock.advance(7_000);
    await stopping;
    expect(all.of("run.end")).toEqual([]);
  });
});

/** Returns `name-1` and so on. */
function namesOf(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);
}
