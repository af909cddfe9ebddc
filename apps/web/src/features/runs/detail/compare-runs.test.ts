import type { Change } from "@cloudwright/core/model/plan";
import type { RunEnd, Step } from "@cloudwright/core/model/run";
import type { RunDetail } from "@cloudwright/store/views/views";
import { describe, expect, it } from "vitest";
import { compareRuns } from "./compare-runs.ts";

function call(part: Partial<Step> = {}): Step {
  return {
    ...{ phase: "observe", system: "cloud", operation: "GET /v1/instances", target: "w-9" },
    ...{ offsetMs: 0, durationMs: 40, limiterWaitMs: 0, attempt: 1, sharedBy: 1 },
    ...part,
  };
}

const LABELS: Change = {
  kind: "node.labels.write",
  system: "cluster",
  target: { kind: "Node", name: "w-9" },
  before: {},
  after: {},
  reason: { code: "FactsChanged", fields: ["zone"] },
};

interface Part {
  readonly row?: Partial<RunDetail["row"]>;
  readonly changes?: RunDetail["changes"];
  readonly end?: Partial<RunEnd>;
}

function run({ row = {}, changes = [], end = {} }: Part = {}): RunDetail {
  const object = { kind: "Node" as const, namespace: undefined, name: "w-9", uid: "u-9" };
  const shared = {
    ...{ id: "r-1", controller: "cloud-node-controller" as const, object, attempt: 1 },
    ...{ trigger: { kind: "period" as const }, dryRun: false, startedAt: 0, queuedMs: 2 },
  };
  return {
    row: {
      ...{ ...shared, outcome: "unchanged", reason: { code: "InStep" }, durationMs: 50 },
      ...{ cloudCalls: 1, kubeCalls: 0, changes: changes.length, folded: 1 },
      ...row,
    },
    end: {
      ...{ ...shared, type: "run.end", cluster: "c-1", instance: "ctl-1", durationMs: 50 },
      ...{ planMs: 1, outcome: "unchanged", reason: { code: "InStep" }, changes, notTaken: [] },
      ...{ next: { kind: "settled", reason: { code: "InStep" } }, applied: 0, steps: [call()] },
      object: { kind: "Node", name: "w-9", uid: "u-9" },
      ...end,
    },
    ...{ changes, notTaken: [], instance: "ctl-1", previousId: undefined, nextId: undefined },
    intent: undefined,
  };
}

function differing(one: RunDetail, other: RunDetail) {
  const { facts, plan, calls } = compareRuns(one, other);
  return [...facts, ...plan, ...calls]
    .filter(({ differs }) => differs)
    .map(({ label, one: left, other: right }) => [label, left, right]);
}

describe("two runs side by side", () => {
  it("that went the same way have no differences", () => {
    expect(differing(run(), run({ row: { id: "r-2", startedAt: 9_000 } }))).toEqual([]);
  });

  it("differ in how they ended and why", () => {
    const failed = run({
      row: { outcome: "failed", reason: { code: "ProviderIDMissing", provider: "sandbox" } },
    });
    expect(differing(run(), failed).map(([label]) => label)).toEqual(["Outcome", "Why"]);
  });

  it("differ in a time only if one took much longer", () => {
    expect(differing(run(), run({ row: { durationMs: 90, queuedMs: 40 } }))).toEqual([]);
    expect(differing(run(), run({ row: { durationMs: 900 } }))).toEqual([
      ["Took", "50 ms", "900 ms"],
    ]);
  });

  it("say what became of each step of both plans", () => {
    const changed = run({ changes: [LABELS], end: { applied: 1 } });
    const stopped = run({ changes: [LABELS] });
    const [step] = compareRuns(changed, stopped).plan;
    expect(step).toMatchObject({ one: "applied", other: "not applied", differs: true });
    expect(compareRuns(run(), changed).plan).toMatchObject([{ one: undefined, other: "applied" }]);
  });

  it("sum up the calls of one operation", () => {
    const throttled = run({ end: { steps: [call({ error: "429" }), call({ durationMs: 60 })] } });
    expect(differing(run(), throttled)).toEqual([
      ["cloud GET /v1/instances", "1 call, 40 ms", "2 calls, 1 failed, 100 ms"],
    ]);
    const write = call({ phase: "apply", system: "kube", operation: "PATCH nodes" });
    expect(differing(run(), run({ end: { steps: [call(), write] } }))).toEqual([
      ["kube PATCH nodes", undefined, "1 call, 40 ms"],
    ]);
  });

  it("leave out what a run in progress cannot know yet", () => {
    const running: RunDetail = {
      ...run({ row: { outcome: "running", reason: undefined, durationMs: undefined } }),
      end: undefined,
    };
    expect(compareRuns(running, running).facts.map(({ label }) => label)).not.toContain("Why");
    expect(differing(run(), running)).toContainEqual(["Took", "50 ms", undefined]);
  });
});
