import { describe, expect, it } from "vitest";
import { OUTCOMES, type RunEnd, type Step } from "../../model/run.ts";
import { RunTally } from "./run-tally.ts";

const NODE = "cloud-node-controller";
const ROUTES = "node-route-controller";

function step(over: Partial<Step> = {}): Step {
  return {
    phase: "observe",
    system: "cloud",
    operation: "GET /v1/instances",
    target: "w-9",
    offsetMs: 0,
    durationMs: 1,
    limiterWaitMs: 0,
    attempt: 1,
    sharedBy: 1,
    ...over,
  };
}

function run(over: Partial<RunEnd> = {}): RunEnd {
  return {
    type: "run.end",
    id: "r-1",
    cluster: "c-1",
    instance: "ctl-1",
    controller: NODE,
    object: { kind: "Node", name: "w-9" },
    trigger: { kind: "change", what: "labels" },
    attempt: 1,
    startedAt: 1_000,
    queuedMs: 0,
    dryRun: false,
    changes: [],
    notTaken: [],
    durationMs: 1,
    planMs: 0,
    outcome: "unchanged",
    reason: { code: "InStep" },
    next: { kind: "settled", reason: { code: "InStep" } },
    applied: 0,
    steps: [],
    ...over,
  };
}

function tallied(...runs: readonly RunEnd[]) {
  const tally = new RunTally();
  for (const each of runs) tally.add(each);
  return tally.take();
}

/** Returns a run whose calls waited this long for the cloud's budget. */
function waited(id: string, ...waits: readonly number[]): RunEnd {
  return run({ id, steps: waits.map((limiterWaitMs) => step({ limiterWaitMs })) });
}

describe("the cost of a controller's runs", () => {
  it("is counted per controller, by the API that it called", () => {
    const steps = [step(), step(), step({ system: "kube" })];
    const { controllers } = tallied(
      run({ steps }),
      run({ steps: [step({ system: "kube" })] }),
      run({ controller: ROUTES, steps: [step()] }),
    );
    expect(controllers).toEqual([
      expect.objectContaining({ controller: NODE, runs: 2, cloudCalls: 2, kubeCalls: 2 }),
      expect.objectContaining({ controller: ROUTES, runs: 1, cloudCalls: 1, kubeCalls: 0 }),
    ]);
  });

  it("includes only a share of a call that several runs share, so that the total counts it once", () => {
    const third = run({ steps: [step({ sharedBy: 3 })] });
    expect(tallied(third).controllers[0]?.cloudCalls).toBe(0.333);
    expect(tallied(third, third, third).controllers[0]?.cloudCalls).toBe(1);
  });

  it("includes the runs of the periodic check, and counts its calls with the others", () => {
    const { controllers } = tallied(
      run({ trigger: { kind: "period" }, steps: [step({ sharedBy: 2 })] }),
      run({ steps: [step()] }),
    );
    expect(controllers[0]).toMatchObject({
      runs: 2,
      cloudCalls: 1.5,
      periodRuns: 1,
      periodCloudCalls: 0.5,
    });
  });

  it.each(OUTCOMES)(
    "counts a run that ended as %s as a failure exactly when somebody has to look at it",
    (outcome) => {
      const isFailure = ["failed", "timedOut", "blocked"].includes(outcome);
      expect(tallied(run({ outcome })).controllers[0]?.failed).toBe(isFailure ? 1 : 0);
    },
  );

  it("starts from zero after it was taken", () => {
    const tally = new RunTally();
    tally.add(waited("r-1", 500));
    tally.take();
    expect(tally.take()).toEqual({ controllers: [], waiters: [] });
    tally.add(run());
    expect(tally.take().controllers[0]?.runs).toBe(1);
  });
});

describe("the runs that waited for the cloud's budget", () => {
  it.each([
    ["not long enough to keep anybody from anything", [99], []],
    ["just long enough", [100], [100]],
    ["long in several short waits", [60, 60], [120]],
  ])("%s", (_how, waits, noted) => {
    expect(tallied(waited("r", ...waits)).waiters.map(({ waitMs }) => waitMs)).toEqual(noted);
  });

  it("are the five that waited longest, longest first, each with its object and its start", () => {
    const waits = [300, 900, 100, 700, 500, 200, 800];
    const { waiters } = tallied(...waits.map((ms) => waited(`r-${ms}`, ms)));
    expect(waiters.map(({ runId }) => runId)).toEqual([
      ...["r-900", "r-800", "r-700", "r-500", "r-300"],
    ]);
    expect(waiters[0]).toEqual({
      controller: NODE,
      object: { kind: "Node", name: "w-9" },
      runId: "r-900",
      at: 1_000,
      waitMs: 900,
    });
  });

  it("do not include waits for the Kubernetes API, which has a limit of its own", () => {
    const steps = [step({ system: "kube", limiterWaitMs: 9_000 })];
    expect(tallied(run({ steps })).waiters).toEqual([]);
  });
});
