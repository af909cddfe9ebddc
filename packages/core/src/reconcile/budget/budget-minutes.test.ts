import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { createCloudBudget } from "../../cloud/calls/budget.ts";
import type { BudgetMinute } from "../../model/records/budget-record.ts";
import type { LedgerRecord } from "../../model/records/record.ts";
import type { RunEnd, Step } from "../../model/run.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { createBudgetMeter } from "./budget-meter.ts";
import { recordBudgetMinutes } from "./budget-minutes.ts";
import { meteredBudget, meteredRecorder } from "./metered-parts.ts";

const MINUTE_MS = 60_000;
const IDENTITY = { cluster: "c", instance: "ctl-1", provider: "sandbox", dryRun: false };

function fixture() {
  const clock = createManualClock();
  const meter = createBudgetMeter();
  const written: LedgerRecord[] = [];
  const recorder = meteredRecorder({ append: (record) => written.push(record) }, meter);
  const budget = meteredBudget(createCloudBudget({ provider: "sandbox", clock }), meter);
  const begin = (kubePerMinute?: number) =>
    recordBudgetMinutes({
      meter,
      recorder,
      clock,
      identity: IDENTITY,
      cloudAllowsPerSecond: () => budget.snapshot().allowedPerSecond,
      kubePerMinute,
    });
  const minutes = () =>
    written.filter((record): record is BudgetMinute => record.type === "budget");
  return { clock, meter, recorder, budget, begin, minutes };
}

const CALL = {
  operation: "GET /v1/instances",
  target: "all",
  mutates: false,
  startedAt: 0,
  durationMs: 12,
  limiterWaitMs: 0,
  status: 200,
  requestId: "r-1",
  error: undefined,
} as const;

const KUBE_CALL = {
  verb: "patch",
  resource: "nodes/status",
  name: "w-1",
  startedAt: 0,
  durationMs: 4,
  limiterWaitMs: 0,
  status: 200,
  attempts: 1,
  method: "PATCH",
  host: "api",
  requestBytes: 10,
  responseBytes: 100,
} as const;

describe("a leader's minutes", () => {
  it("are recorded at the end of each minute, even without any call", async () => {
    const { clock, meter, begin, minutes } = fixture();
    meter.cloudCall(CALL);
    await clock.advance(20_000);
    begin(30_000);
    meter.cloudCall(CALL);
    meter.kubeCall(KUBE_CALL);
    await clock.advance(2 * MINUTE_MS);
    const [first, second] = minutes();
    const start = clock.now() - 20_000 - 2 * MINUTE_MS;
    expect(first).toMatchObject({
      ...IDENTITY,
      at: start,
      coveredMs: 40_000,
      cloud: { operations: [{ operation: "GET /v1/instances", calls: 1 }] },
      kube: { limitPerMinute: 30_000, operations: [{ operation: "PATCH nodes/status", calls: 1 }] },
    });
    expect(second).toMatchObject({
      at: start + MINUTE_MS,
      coveredMs: MINUTE_MS,
      cloud: { operations: [] },
    });
    expect(minutes()).toHaveLength(2);
  });

  it("end with a record of the last partial minute, and no more follow", async () => {
    const { clock, meter, begin, minutes } = fixture();
    const end = begin();
    await clock.advance(15_000);
    meter.cloudCall(CALL);
    end();
    await clock.advance(5 * MINUTE_MS);
    expect(minutes()).toMatchObject([{ coveredMs: 15_000, cloud: { operations: [{ calls: 1 }] } }]);
    expect(minutes()[0]?.kube.limitPerMinute).toBeUndefined();
  });

  it("leave out those during which the process stood still", async () => {
    const { clock, begin, minutes } = fixture();
    const start = clock.now();
    begin();
    await clock.jump(10 * MINUTE_MS + 5_000);
    await clock.advance(MINUTE_MS);
    expect(minutes().map(({ at }) => (at - start) / MINUTE_MS)).toEqual([0, 10]);
  });
});

describe("the cloud's budget in a minute", () => {
  const tooMany = new ProviderError("Throttled", "429", {
    provider: "sandbox",
    operation: "GET /v1/instances",
    status: 429,
    retryAfterMs: 2_000,
  });

  it("is the lowest limit of the minute, with who waited for it and who was put off", async () => {
    const { clock, meter, budget, begin, minutes } = fixture();
    const { signal } = new AbortController();
    begin();
    for (let call = 0; call < 8; call += 1) await budget.acquire("refresh", signal);
    await clock.advance(100);
    budget.throttled(tooMany, clock.monotonic());
    meter.cloudCall({ ...CALL, status: 429, error: tooMany });
    const waits = budget.acquire("person", signal);
    await clock.advance(2_000);
    await waits;
    budget.throttled(
      new ProviderError("Throttled", "429", { ...tooMany.call, retryAfterMs: 30_000 }),
      clock.monotonic(),
    );
    await expect(budget.acquire("new", signal)).rejects.toMatchObject({ code: "Throttled" });
    await clock.advance(MINUTE_MS);
    const [minute] = minutes();
    expect(minute?.cloud).toMatchObject({
      operations: [{ calls: 1, throttled: 1, failed: 0 }],
      priorities: [
        { priority: "person", calls: 1, waited: 1, waitMs: 2_000, longestWaitMs: 2_000 },
        { priority: "new", calls: 0, putOff: 1 },
        { priority: "refresh", calls: 8, waited: 0, putOff: 0 },
      ],
    });
    expect(minute?.cloud.limitPerMinute).toBeLessThanOrEqual(240);
  });

  it("has no limit if the cloud has set none", async () => {
    const { clock, begin, minutes } = fixture();
    begin();
    await clock.advance(MINUTE_MS);
    expect(minutes()[0]?.cloud).not.toHaveProperty("limitPerMinute");
  });
});

describe("the cost of runs", () => {
  const step = (over: Partial<Step> = {}): Step => ({
    phase: "observe",
    system: "cloud",
    operation: "GET /v1/instances",
    target: "all",
    offsetMs: 0,
    durationMs: 10,
    limiterWaitMs: 0,
    attempt: 1,
    sharedBy: 1,
    ...over,
  });

  const run = (over: Partial<RunEnd> = {}): RunEnd => ({
    type: "run.end",
    id: "run-1",
    cluster: "c",
    instance: "ctl-1",
    controller: "cloud-node-controller",
    object: { kind: "Node", name: "w-1" },
    trigger: { kind: "change", what: "added" },
    attempt: 1,
    startedAt: 5,
    queuedMs: 0,
    dryRun: false,
    changes: [],
    notTaken: [],
    durationMs: 20,
    planMs: 1,
    outcome: "changed",
    reason: { code: "Initialised" },
    next: { kind: "settled", reason: { code: "Initialised" } },
    applied: 1,
    steps: [],
    ...over,
  });

  it("is counted by controller, and a shared call proportionally", async () => {
    const { clock, recorder, begin, minutes } = fixture();
    begin();
    recorder.append(run({ steps: [step({ sharedBy: 4 }), step({ system: "kube" })] }));
    recorder.append(run({ trigger: { kind: "period" }, steps: [step()], outcome: "failed" }));
    recorder.append(run({ controller: "service-lb-controller", steps: [] }));
    await clock.advance(MINUTE_MS);
    expect(minutes()[0]?.controllers).toEqual([
      {
        controller: "cloud-node-controller",
        runs: 2,
        failed: 1,
        cloudCalls: 1.25,
        kubeCalls: 1,
        periodRuns: 1,
        periodCloudCalls: 1,
      },
      {
        controller: "service-lb-controller",
        runs: 1,
        failed: 0,
        cloudCalls: 0,
        kubeCalls: 0,
        periodRuns: 0,
        periodCloudCalls: 0,
      },
    ]);
  });

  it("lists the five runs that waited longest for the cloud's budget", async () => {
    const { clock, recorder, begin, minutes } = fixture();
    begin();
    for (const waitMs of [50, 200, 900, 300, 700, 400, 800]) {
      const object = { kind: "Node", name: `w-${waitMs}` } as const;
      recorder.append(run({ object, steps: [step({ limiterWaitMs: waitMs })] }));
    }
    await clock.advance(MINUTE_MS);
    expect(minutes()[0]?.waiters.map(({ object }) => object.name)).toEqual([
      ...["w-900", "w-800", "w-700", "w-400", "w-300"],
    ]);
  });
});

describe("lookups", () => {
  it("are counted by how they were answered", async () => {
    const { clock, meter, begin, minutes } = fixture();
    begin();
    const what = "look up instance";
    meter.lookup({ what, withoutCall: true, sharedBy: 0 });
    meter.lookup({ what, withoutCall: false, sharedBy: 12 });
    meter.lookup({ what, withoutCall: false, sharedBy: 1 });
    await clock.advance(MINUTE_MS);
    expect(minutes()[0]?.cloud.lookups).toEqual([{ what, asked: 3, withoutCall: 1, shared: 1 }]);
  });
});
