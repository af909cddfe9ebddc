import type { RunEnd } from "@cloudwright/core/model/run";
import type { RunDetail } from "@cloudwright/store/views/views";
import { describe, expect, it } from "vitest";
import { runJson, runText } from "./print-run.ts";
import { isSelected } from "./spooled-runs.ts";

const NODE = { kind: "Node", name: "node-3", uid: "u-3" } as const;
const END: RunEnd = {
  type: "run.end",
  id: "01a1fce0-6dcf-73b8-8572-1771fffd4e82",
  cluster: "c",
  instance: "host_1",
  controller: "cloud-node-lifecycle-controller",
  object: NODE,
  trigger: { kind: "retry" },
  attempt: 2,
  startedAt: Date.parse("2026-06-01T12:00:00Z"),
  queuedMs: 4,
  dryRun: false,
  changes: [
    {
      kind: "node.delete",
      system: "cluster",
      target: NODE,
      before: { uid: "u-3", providerID: "sandbox://i-3" },
      after: null,
      reason: { code: "InStep" },
    },
  ],
  notTaken: [],
  durationMs: 1_250,
  planMs: 1,
  outcome: "changed",
  reason: { code: "NodeReady" },
  next: { kind: "settled", reason: { code: "NodeReady" } },
  applied: 1,
  steps: [
    {
      phase: "observe",
      system: "cloud",
      operation: "GET /v1/instances/i-3",
      target: "i-3",
      offsetMs: 2.4,
      durationMs: 31,
      limiterWaitMs: 0,
      status: 404,
      requestId: "7f3a9c10",
      attempt: 1,
      sharedBy: 1,
      error: "no such instance",
    },
  ],
};
const RUN: RunDetail = {
  row: {
    ...END,
    object: { ...NODE, namespace: undefined },
    cloudCalls: 1,
    kubeCalls: 1,
    changes: 1,
    folded: 1,
  },
  end: END,
  changes: END.changes,
  notTaken: [],
  instance: END.instance,
  previousId: undefined,
  nextId: undefined,
  intent: undefined,
};

describe("one run", () => {
  it("is printed with its plan, its calls and its result", () => {
    const text = runText(RUN);
    expect(text).toContain("Object      Node node-3 (uid u-3)");
    expect(text).toContain("Trigger     auto-retry, attempt 2");
    expect(text).toContain("Plan: 1 change, 1 of them written");
    expect(text).toContain("* Delete node node-3.");
    expect(text).toContain("providerID: sandbox://i-3 → none");
    expect(text).toMatch(
      /\+2 ms .*cloud .*GET \/v1\/instances\/i-3 i-3 {2}404 {2}request 7f3a9c10 {2}failed: no such instance/,
    );
    expect(text).toContain("1 call no longer kept");
    expect(text).toMatch(/^Result: changed: /m);
  });

  it("says so if it has not ended", () => {
    const row = {
      ...RUN.row,
      outcome: "running",
      reason: undefined,
      durationMs: undefined,
    } as const;
    const text = runText({ ...RUN, row, end: undefined });
    expect(text).toContain("Plan: 1 change\n");
    expect(text).toContain("Result: running");
  });

  it("is printed as one JSON object with everything", () => {
    expect(JSON.parse(runJson(RUN))).toMatchObject({
      id: END.id,
      outcome: "changed",
      plan: { changes: [{ kind: "node.delete" }], notTaken: [] },
      calls: [{ operation: "GET /v1/instances/i-3", requestId: "7f3a9c10" }],
      result: { applied: 1, next: { kind: "settled" } },
    });
  });
});

describe("what a list of spooled runs selects", () => {
  it.each<[Parameters<typeof isSelected>[1], boolean]>([
    [{}, true],
    [{ key: "node-*" }, true],
    [{ key: "node.3" }, false],
    [{ key: "shop/node-3" }, false],
    [{ controller: "cloud-node-controller" }, false],
    [{ outcomes: ["failed", "changed"] }, true],
    [{ triggers: ["intent"] }, false],
    [{ reason: "NodeReady" }, true],
    [{ minCalls: 3 }, false],
    [{ from: END.startedAt, to: END.startedAt + 1 }, true],
    [{ to: END.startedAt }, false],
  ])("by %j: %s", (filter, isIn) => {
    expect(isSelected(RUN.row, filter)).toBe(isIn);
  });
});
