import {
  type InstanceRef,
  instanceKey,
  type Lookup,
  ProviderError,
} from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { createCloudBudget } from "../calls/budget.ts";
import { createCallContexts } from "../calls/call-context.ts";
import type { LookupOptions } from "../ports.ts";
import {
  BATCH,
  byName,
  FRESH,
  fixture,
  found,
  run,
  SINGLE,
} from "../testing/instance-directory-fixture.ts";
import { createInstanceDirectory } from "./instance-directory.ts";

describe("instance directory", () => {
  it("looks up a lone instance at once", async () => {
    const { clock, asked, there, directory } = fixture();
    there.add("w-1");
    const { lookups, steps } = run(directory, clock.now());
    const answer = lookups.lookup(byName("w-1"), BATCH);
    await clock.advance(100);
    expect(await answer).toMatchObject({ kind: "found", facts: { name: "w-1" } });
    expect(asked).toEqual([{ refs: ["name:w-1"], mode: "batch", priority: "new" }]);
    expect(steps).toMatchObject([
      {
        system: "cloud",
        operation: "GET /v1/instances",
        offsetMs: 0,
        durationMs: 100,
        status: 200,
        requestId: "r-1",
        sharedBy: 1,
      },
    ]);
  });

  it("gathers the lookups of one turn into one call that all their runs show", async () => {
    const { clock, asked, directory } = fixture();
    const runs = Array.from({ length: 1_000 }, () => run(directory, clock.now()));
    const answers = runs.map(({ lookups }, index) => lookups.lookup(byName(`w-${index}`), BATCH));
    await clock.advance(100);
    expect(await Promise.all(answers)).toHaveLength(1_000);
    expect(asked.map(({ refs }) => refs.length)).toEqual([1_000]);
    expect(runs[999]?.steps).toMatchObject([{ sharedBy: 1_000, requestId: "r-1" }]);
  });

  it("sends equal references once", async () => {
    const { clock, asked, directory } = fixture();
    const answers = [1, 2].map(() =>
      run(directory, clock.now()).lookups.lookup(byName("w-1"), BATCH),
    );
    await clock.advance(100);
    expect(await Promise.all(answers)).toHaveLength(2);
    expect(asked.map(({ refs }) => refs)).toEqual([["name:w-1"]]);
  });

  it("does not look up again what a call in between has shown", async () => {
    const { clock, asked, there, directory } = fixture({ batches: 1 });
    for (const name of ["w-1", "w-2"]) there.add(name);
    const ask = (name: string, request: LookupOptions) =>
      run(directory, clock.now()).lookups.lookup(
        { nodeName: name, providerID: `sandbox://${name}` },
        request,
      );
    const first = run(directory, clock.now()).lookups.lookup(byName("w-1"), FRESH);
    await clock.advance(10);
    const others = [ask("w-1", FRESH), ask("w-2", FRESH)];
    await clock.advance(300);
    expect(await Promise.all([first, ...others])).toMatchObject([
      { facts: { name: "w-1" } },
      { facts: { name: "w-1" } },
      { facts: { name: "w-2" } },
    ]);
    expect(asked.map(({ refs }) => refs)).toEqual([["name:w-1"], ["id:sandbox://w-2"]]);
  });

  it.each([
    ["is on its way", 500, 510],
    ["hangs", 8_000, 1_500],
  ])("sends a few beside a call that %s, and more only after it", async (_how, latencyMs, when) => {
    const { clock, asked, directory } = fixture({ latencyMs });
    const ask = (name: string) => {
      void run(directory, clock.now()).lookups.lookup(byName(name), BATCH);
    };
    ask("w-1");
    await clock.advance(10);
    ask("w-2");
    await clock.advance(10);
    expect(asked.map(({ refs }) => refs)).toEqual([["name:w-1"], ["name:w-2"]]);
    for (const name of ["a", "b", "c", "d"]) ask(name);
    await clock.advance(when - 40);
    expect(asked).toHaveLength(2);
    await clock.advance(60);
    expect(asked.map(({ refs }) => refs.length)).toEqual([1, 1, 4]);
  });

  it.each([
    ["as long as its pages come", 5, 5_000],
    ["but not for ever", 40, 10_000],
  ])("lets many wait for a listing of many pages %s", async (_how, pages, when) => {
    const { clock, asked, directory } = fixture({ latencyMs: 1_000, pages });
    const ask = (name: string) => {
      void run(directory, clock.now()).lookups.lookup(byName(name), BATCH);
    };
    ask("w-1");
    await clock.advance(10);
    for (const name of ["a", "b", "c", "d"]) ask(name);
    await clock.advance(when - 20);
    expect(asked).toHaveLength(1);
    await clock.advance(20);
    expect(asked.map(({ refs }) => refs.length)).toEqual([1, 4]);
  });

  it("has at most this many batches in progress and gathers the rest", async () => {
    const { clock, asked, directory } = fixture({ batches: 2 });
    const { lookups } = run(directory, clock.now());
    const answers = [];
    for (let index = 0; index < 10; index++) {
      answers.push(lookups.lookup(byName(`w-${index}`), BATCH));
      await clock.advance(8);
    }
    expect(asked.map(({ refs }) => refs.length)).toEqual([1, 1]);
    await clock.advance(500);
    await Promise.all(answers);
    expect(asked.map(({ refs }) => refs.length)).toEqual([1, 1, 8]);
  });

  it("gathers as long as the budget would make a call wait", async () => {
    const { clock, budget, asked, directory } = fixture();
    const call = { provider: "sandbox", operation: "GET", status: 429, retryAfterMs: 600 };
    budget.throttled(new ProviderError("Throttled", "Too many.", call), clock.monotonic());
    const { lookups } = run(directory, clock.now());
    const answers = [lookups.lookup(byName("w-1"), BATCH)];
    await clock.advance(300);
    answers.push(lookups.lookup(byName("w-2"), { ...BATCH, priority: "person" }));
    await clock.advance(1_000);
    await Promise.all(answers);
    expect(asked).toEqual([{ refs: ["name:w-1", "name:w-2"], mode: "batch", priority: "person" }]);
  });

  it("releases only the run that ended, and aborts the call when nobody waits", async () => {
    const { clock, aborted, there, directory } = fixture();
    there.add("w-1").add("w-2");
    const [one, other] = [run(directory, clock.now()), run(directory, clock.now())];
    const first = one.lookups.lookup(byName("w-1"), BATCH).catch((error: unknown) => error);
    const second = other.lookups.lookup(byName("w-2"), BATCH);
    await clock.advance(10);
    one.ends.abort(new Error("ended"));
    expect(await first).toMatchObject({ message: "ended" });
    expect(one.steps).toEqual([
      {
        system: "cloud",
        operation: "look up instance",
        target: "w-1",
        offsetMs: 0,
        durationMs: 10,
        limiterWaitMs: 0,
        attempt: 1,
        sharedBy: 1,
        error: "The run ended before an answer came.",
      },
    ]);
    expect(aborted).toEqual([]);
    await clock.advance(90);
    expect(await second).toMatchObject({ kind: "found" });

    const lone = run(directory, clock.now());
    const third = lone.lookups.lookup(byName("w-3"), BATCH).catch((error: unknown) => error);
    await clock.advance(10);
    lone.ends.abort(new Error("ended too"));
    expect(await third).toMatchObject({ message: "ended too" });
    expect(aborted).toEqual(["name:w-3"]);
  });

  it("reports a plug-in that leaves a reference without an answer", async () => {
    const clock = createManualClock();
    const budget = createCloudBudget({ provider: "sandbox", clock });
    const directory = createInstanceDirectory({
      instances: { describe: () => Promise.resolve(new Map()) },
      contexts: createCallContexts({ provider: "sandbox", clock, budget, fence: () => true }),
      clock,
    });
    const { lookups } = run(directory, clock.now());
    for (const request of [BATCH, SINGLE]) {
      await expect(lookups.lookup(byName("w-1"), request)).rejects.toThrow(
        /no answer for name:w-1/,
      );
    }
  });

  it("continues after a call that threw", async () => {
    const clock = createManualClock();
    const budget = createCloudBudget({ provider: "sandbox", clock });
    let times = 0;
    const describe = async (refs: readonly InstanceRef[]) => {
      times += 1;
      if (times === 1) throw new TypeError("defect");
      return new Map(refs.map((ref) => [instanceKey(ref), found(ref, "r")]));
    };
    const directory = createInstanceDirectory({
      instances: { describe },
      contexts: createCallContexts({ provider: "sandbox", clock, budget, fence: () => true }),
      clock,
    });
    const { lookups } = run(directory, clock.now());
    await expect(lookups.lookup(byName("w-1"), BATCH)).rejects.toThrow("defect");
    expect(await lookups.lookup(byName("w-1"), BATCH)).toMatchObject({ kind: "found" });
  });
});

describe("a batch that got no answer in time", () => {
  function hanging() {
    const clock = createManualClock();
    const budget = createCloudBudget({ provider: "sandbox", clock });
    const asked: { readonly refs: number; readonly mode: string }[] = [];
    const timedOut = new ProviderError("TimedOut", "no answer", {
      provider: "sandbox",
      operation: "GET /v1/instances",
    });
    const directory = createInstanceDirectory({
      instances: {
        describe: async (refs, { mode }) => {
          asked.push({ refs: refs.length, mode });
          const hangs = refs.some(({ nodeName }) => nodeName === "hangs");
          const answer = (ref: InstanceRef): Lookup =>
            hangs ? { kind: "failed", error: timedOut } : found(ref, "r-1");
          return new Map(refs.map((ref) => [instanceKey(ref), answer(ref)]));
        },
      },
      contexts: createCallContexts({ provider: "sandbox", clock, budget, fence: () => true }),
      clock,
    });
    const signal = new AbortController().signal;
    const lookups = directory.for({ startedAt: 0, signal, step: () => undefined });
    const preview = (nodeName: string) =>
      lookups.lookup({ nodeName, providerID: undefined }, BATCH);
    return { asked, preview, clock };
  }

  it("is next asked one by one, so that one that hangs does not hold up the others for long", async () => {
    const { asked, preview } = hanging();
    const first = await Promise.all(["hangs", "a", "b"].map(preview));
    expect(first.map(({ kind }) => kind)).toEqual(["failed", "failed", "failed"]);
    const second = await Promise.all(["hangs", "a", "b"].map(preview));
    expect(second.map(({ kind }) => kind)).toEqual(["failed", "found", "found"]);
    expect(asked.slice(1)).toEqual(Array.from({ length: 3 }, () => ({ refs: 1, mode: "single" })));
  });

  it("gathers again once it was answered", async () => {
    const { asked, preview } = hanging();
    await Promise.all(["hangs", "a", "b"].map(preview));
    await Promise.all(["a", "b"].map(preview));
    await Promise.all(["a", "b"].map(preview));
    expect(asked.at(-1)).toEqual({ refs: 2, mode: "batch" });
  });

  it("counts as an outage if it was large, and stays together", async () => {
    const { asked, preview, clock } = hanging();
    const names = ["hangs", ...Array.from({ length: 40 }, (_, index) => `n-${index}`)];
    await Promise.all(names.map(preview));
    const again = Promise.all(names.map(preview));
    await clock.advance(1_000);
    await again;
    expect(asked.every(({ mode }) => mode === "batch")).toBe(true);
  });
});
