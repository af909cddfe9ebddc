import { describe, expect, it, vi } from "vitest";
import type { Pause } from "../../model/controls.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import type { ControlDiary } from "./control-diary.ts";
import { type ControlRecord, EMPTY_RECORD } from "./control-record.ts";
import type { ControlStore } from "./control-store.ts";
import { createPauseKeeper } from "./pause-keeper.ts";

const NEVER = new AbortController().signal;

function fixture({ dryRun = false } = {}) {
  const clock = createManualClock();
  let record: ControlRecord = EMPTY_RECORD;
  const failing: unknown[] = [];
  const store: Pick<ControlStore, "record" | "update"> = {
    get record() {
      return record;
    },
    update: async (edit) => {
      if (failing.length > 0) throw failing.pop();
      const edited = edit(record);
      record = edited.record;
      return edited.answer;
    },
  };
  const audit = vi.fn<ControlDiary["audit"]>();
  const event = vi.fn<ControlDiary["event"]>();
  const onError = vi.fn<(error: unknown) => void>();
  const keeper = createPauseKeeper({ store, diary: { audit, event }, clock, dryRun, onError });
  return {
    ...{ clock, keeper, audit, event, onError },
    failNext: (error: unknown) => failing.push(error),
    recorded: () => record.pauses.map(({ controller }) => controller),
    write: (...pauses: readonly Pause[]) => {
      record = { ...record, pauses };
      keeper.review();
    },
    pause: (controller: string, forMs: number): Pause => {
      const at = clock.now();
      const intentId = `i-${controller}`;
      return { controller, by: "ana", why: "INC-1", at, until: at + forMs, intentId };
    },
  };
}

const names = (pauses: readonly Pause[]) => pauses.map(({ controller }) => controller);

describe("a pause", () => {
  it("is obeyed while it lasts, and lifts by itself at its end, to the millisecond", async () => {
    const { keeper, clock, write, pause, recorded } = fixture();
    const seen: (readonly string[])[] = [];
    keeper.onPauses(async (pauses) => void seen.push(names(pauses)));
    write(pause("routes", 60_000));
    expect(names(keeper.inForce())).toEqual(["routes"]);
    await clock.advance(59_999);
    expect(seen).toEqual([[], ["routes"]]);
    await clock.advance(1);
    expect(seen).toEqual([[], ["routes"], []]);
    expect([keeper.inForce(), recorded()]).toEqual([[], []]);
  });

  it("that ended is reported once in the audit and as an Event, with its user and why it ended", async () => {
    const { clock, write, pause, audit, event, keeper } = fixture();
    write(pause("routes", 60_000));
    await clock.advance(60_000);
    keeper.review();
    await clock.advance(60_000);
    expect(audit).toHaveBeenCalledTimes(1);
    expect(audit.mock.lastCall?.[0]).toMatchObject({
      controller: "routes",
      action: "controller.resume",
      object: { kind: "Controller", name: "routes" },
      why: "The pause by ana was set to end at 2026-01-01T00:01:00.000Z.",
      intentId: "i-routes",
    });
    expect(event.mock.calls).toEqual([
      ["ControllerResumed", "routes: The pause by ana was set to end at 2026-01-01T00:01:00.000Z."],
    ]);
  });

  it("of two ends at its own time, and the other continues", async () => {
    const { keeper, clock, write, pause, event } = fixture();
    write(pause("routes", 60_000), pause("nodes", 90_000));
    await clock.advance(60_000);
    expect(names(keeper.inForce())).toEqual(["nodes"]);
    await clock.advance(30_000);
    expect(keeper.inForce()).toEqual([]);
    expect(event).toHaveBeenCalledTimes(2);
  });

  it("that a user lifts is not reported here as ended", async () => {
    const { clock, write, pause, audit, event } = fixture();
    write(pause("routes", 60_000));
    write();
    await clock.advance(120_000);
    expect([audit.mock.calls, event.mock.calls, clock.pending]).toEqual([[], [], 0]);
  });

  it("that is replaced by a longer one lasts until the end of that", async () => {
    const { keeper, clock, write, pause } = fixture();
    write(pause("routes", 60_000));
    write({ ...pause("routes", 120_000), intentId: "i-2" });
    await clock.advance(60_000);
    expect(names(keeper.inForce())).toEqual(["routes"]);
    await clock.advance(60_000);
    expect(keeper.inForce()).toEqual([]);
  });

  it("lifts although its end cannot be recorded; the next review makes up for that", async () => {
    const { keeper, clock, write, pause, onError, failNext, recorded, audit } = fixture();
    failNext(new Error("the API server is away"));
    write(pause("routes", 60_000));
    await clock.advance(60_000);
    expect(keeper.inForce()).toEqual([]);
    expect([recorded(), audit.mock.calls]).toEqual([["routes"], []]);
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error("the API server is away"));
    keeper.review();
    await clock.advance(0);
    expect(recorded()).toEqual([]);
    expect(audit).toHaveBeenCalledTimes(1);
  });
});

describe("a callback for pauses", () => {
  it("receives the current ones when it is registered late", async () => {
    const { keeper, write, pause } = fixture();
    write(pause("routes", 60_000));
    const callback = vi.fn(async (pauses: readonly Pause[]) => void pauses);
    keeper.onPauses(callback);
    expect(callback.mock.calls.map(([pauses]) => names(pauses))).toEqual([["routes"]]);
  });

  it("is not called again while the pauses stay the same", () => {
    const { keeper, write, pause } = fixture();
    const callback = vi.fn(async () => undefined);
    keeper.onPauses(callback);
    const one = pause("routes", 60_000);
    write(one);
    write({ ...one });
    keeper.review();
    expect(callback).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["has done what they say", async () => undefined, 0, true],
    ["fails", async () => Promise.reject(new Error("stuck")), 0, false],
    ["takes longer than half a minute", () => new Promise<void>(() => undefined), 30_000, false],
  ])("has obeyed once it %s", async (...[_what, obey, afterMs, obeyed]) => {
    const { keeper, clock, write, pause } = fixture();
    keeper.onPauses((pauses) => (pauses.length === 0 ? Promise.resolve() : obey()));
    write(pause("routes", 600_000));
    const answer = keeper.obeyed(NEVER);
    await clock.advance(afterMs);
    expect(await answer).toBe(obeyed);
  });

  it("is waited for only until the caller's signal aborts", async () => {
    const { keeper, write, pause } = fixture();
    keeper.onPauses((pauses) =>
      pauses.length === 0 ? Promise.resolve() : new Promise<void>(() => undefined),
    );
    write(pause("routes", 600_000));
    const asker = new AbortController();
    const answer = keeper.obeyed(asker.signal);
    asker.abort();
    expect(await answer).toBe(false);
  });
});

it("a dry run is never paused, and lifts no pause", async () => {
  const { keeper, clock, write, pause, recorded, audit } = fixture({ dryRun: true });
  const callback = vi.fn(async (pauses: readonly Pause[]) => void pauses);
  keeper.onPauses(callback);
  write(pause("routes", 60_000));
  await clock.advance(120_000);
  expect(callback.mock.calls).toEqual([[[]]]);
  expect([recorded(), audit.mock.calls]).toEqual([["routes"], []]);
});

it("no timer is left once the keeper is closed", async () => {
  const { keeper, clock, write, pause, audit } = fixture();
  write(pause("routes", 60_000));
  keeper.close();
  await clock.advance(120_000);
  expect([clock.pending, audit.mock.calls]).toEqual([0, []]);
});
