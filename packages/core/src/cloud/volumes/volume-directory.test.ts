import {
  type CallContext,
  ProviderError,
  type ProviderErrorCode,
  type VolumeFacts,
  type VolumeLookup,
} from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import type { Step } from "../../model/run.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { createCloudBudget } from "../calls/budget.ts";
import { createCallContexts } from "../calls/call-context.ts";
import { createVolumeDirectory } from "./volume-directory.ts";

const ASK = { maxAgeMs: 0, priority: "new" } as const;
const OLDER = { maxAgeMs: 300_000, priority: "refresh" } as const;
const LATENCY_MS = 100;

/** A slow cloud; a read shows the state at its start. */
class SlowDisks {
  readonly clock = createManualClock();
  readonly asked: string[] = [];
  readonly sizes = new Map<string, number>();
  readonly broken = new Map<string, ProviderErrorCode>();
  /** The ids that the provider forgets to answer. */
  readonly unanswered = new Set<string>();
  readonly #directory;

  constructor({ grows = true } = {}) {
    const { clock } = this;
    const describeMany = (ids: readonly string[], context: CallContext) =>
      this.#call(
        context,
        `describe ${ids}`,
        () =>
          new Map(ids.filter((id) => !this.unanswered.has(id)).map((id) => [id, this.#lookUp(id)])),
      );
    const grow = (id: string, sizeGiB: number, context: CallContext) =>
      this.#call(context, `grow ${id}`, () => {
        this.sizes.set(id, sizeGiB);
        const code = this.broken.get(id);
        if (code !== undefined) throw refusedAs(code);
        return this.#facts(id, sizeGiB);
      });
    this.#directory = createVolumeDirectory({
      provider: "sandbox",
      volumes: {
        identify: () => undefined,
        describe: describeMany,
        ...(grows ? { grow } : {}),
      },
      contexts: createCallContexts({
        provider: "sandbox",
        clock,
        budget: createCloudBudget({ provider: "sandbox", clock }),
        fence: () => true,
      }),
      clock,
    });
  }

  run() {
    const steps: Omit<Step, "phase">[] = [];
    const ends = new AbortController();
    const step = (made: Omit<Step, "phase">) => steps.push(made);
    const run = { startedAt: this.clock.now(), signal: ends.signal, step };
    return { steps, ends, ...this.#directory.for(run) };
  }

  async done<Value>(work: Promise<Value>): Promise<Value> {
    work.catch(() => undefined);
    await this.clock.advance(LATENCY_MS);
    return await work;
  }

  async sizeOf(id: string, request: typeof ASK | typeof OLDER): Promise<number | string> {
    const lookup = await this.done(this.run().describe(id, request));
    return lookup.kind === "found" ? lookup.facts.sizeGiB : lookup.kind;
  }

  #lookUp(id: string): VolumeLookup {
    const code = this.broken.get(id);
    if (code !== undefined) return { kind: "failed", error: refusedAs(code) };
    const sizeGiB = this.sizes.get(id);
    if (sizeGiB === undefined) return { kind: "absent" };
    return { kind: "found", facts: this.#facts(id, sizeGiB) };
  }

  #facts(id: string, sizeGiB: number): VolumeFacts {
    const asOf = this.clock.now();
    return { id, zone: "z1", region: "r1", additionalLabels: {}, sizeGiB, asOf };
  }

  async #call<Value>(context: CallContext, operation: string, work: () => Value): Promise<Value> {
    this.asked.push(operation);
    const mutates = operation.startsWith("grow");
    return await context.call({ operation, target: "t", mutates }, async () => {
      const value = mutates ? undefined : work();
      await new Promise<void>((resolve) => this.clock.after(LATENCY_MS, resolve));
      return { value: value ?? work(), status: 200 };
    });
  }
}

function refusedAs(code: ProviderErrorCode): ProviderError {
  return new ProviderError(code, "no", { provider: "sandbox", operation: "x" });
}

describe("lookups of disks", () => {
  it("that are requested in one turn share a call, which each of their runs shows", async () => {
    const disks = new SlowDisks();
    disks.sizes.set("v1", 10);
    const runs = [disks.run(), disks.run(), disks.run()];
    const ids = ["v1", "v2", "v1"];
    const answers = await disks.done(
      Promise.all(runs.map(({ describe: preview }, index) => preview(ids[index] ?? "", ASK))),
    );
    expect(answers.map(({ kind }) => kind)).toEqual(["found", "absent", "found"]);
    expect(disks.asked).toEqual(["describe v1,v2"]);
    for (const { steps } of runs) expect(steps).toMatchObject([{ sharedBy: 3, status: 200 }]);
  });

  it("that found a disk are reused as long as the caller allows", async () => {
    const disks = new SlowDisks();
    disks.sizes.set("v1", 10);
    await disks.sizeOf("v1", ASK);
    disks.sizes.set("v1", 20);
    expect(await disks.sizeOf("v1", OLDER)).toBe(10);
    await disks.clock.advance(OLDER.maxAgeMs);
    expect(await disks.sizeOf("v1", OLDER)).toBe(20);
    expect(disks.asked).toHaveLength(2);
  });

  it.each<[string, (disks: SlowDisks) => void]>([
    ["found none", () => undefined],
    ["failed", (disks) => disks.broken.set("v1", "Unavailable")],
  ])("that %s are never reused", async (_case, spoil) => {
    const disks = new SlowDisks();
    spoil(disks);
    await disks.sizeOf("v1", ASK);
    disks.broken.clear();
    disks.sizes.set("v1", 10);
    expect(await disks.sizeOf("v1", OLDER)).toBe(10);
  });

  it("that timed out together are made separately until they are answered", async () => {
    const disks = new SlowDisks();
    for (const id of ["v1", "v2"]) {
      disks.sizes.set(id, 10);
      disks.broken.set(id, "TimedOut");
    }
    const both = () =>
      disks.done(Promise.all(["v1", "v2"].map((id) => disks.run().describe(id, ASK))));
    await both();
    disks.broken.delete("v2");
    expect((await both()).map(({ kind }) => kind)).toEqual(["failed", "found"]);
    expect(disks.asked).toEqual(["describe v1,v2", "describe v1", "describe v2"]);
  });

  it("without an answer from the provider are reported as its mistake", async () => {
    const disks = new SlowDisks();
    disks.unanswered.add("v1");
    const asked = disks.run().describe("v1", ASK);
    await expect(disks.done(asked)).rejects.toThrow("no answer for the volume v1");
  });
});

describe("growing a disk", () => {
  it("is known from the cloud's answer, without a read", async () => {
    const disks = new SlowDisks();
    disks.sizes.set("v1", 10);
    await disks.sizeOf("v1", ASK);
    const growing = disks.run();
    expect(await disks.done(growing.grow("v1", 20, "new"))).toMatchObject({ sizeGiB: 20 });
    expect(growing.steps).toMatchObject([{ operation: "grow v1", sharedBy: 1 }]);
    expect(await disks.sizeOf("v1", OLDER)).toBe(20);
    expect(disks.asked).toEqual(["describe v1", "grow v1"]);
  });

  it("is followed by a lookup if it failed", async () => {
    const disks = new SlowDisks();
    disks.sizes.set("v1", 10);
    await disks.sizeOf("v1", ASK);
    disks.broken.set("v1", "Unavailable");
    await expect(disks.done(disks.run().grow("v1", 20, "new"))).rejects.toThrow("no");
    disks.broken.clear();
    expect(await disks.sizeOf("v1", OLDER)).toBe(20);
  });

  it("is not overwritten by a lookup that started before it ended", async () => {
    const disks = new SlowDisks();
    disks.sizes.set("v1", 10);
    const growing = disks.run().grow("v1", 20, "new");
    await disks.clock.advance(LATENCY_MS / 2);
    const early = disks.run().describe("v1", OLDER);
    await disks.done(growing);
    expect(await early).toMatchObject({ facts: { sizeGiB: 10 } });
    expect(await disks.sizeOf("v1", OLDER)).toBe(20);
  });

  it("is refused for a cloud whose disks do not grow, and nothing is sent", async () => {
    const disks = new SlowDisks({ grows: false });
    await expect(disks.run().grow("v1", 20, "new")).rejects.toMatchObject({
      code: "Unsupported",
      message: expect.stringContaining("sandbox cannot enlarge a disk"),
    });
    expect(disks.asked).toEqual([]);
  });
});
