import type { RunRow } from "@cloudwright/store/views/views";
import { expect, it } from "vitest";
import { foldRuns } from "./use-runs.ts";

function run(id: string, name: string, outcome: RunRow["outcome"]): RunRow {
  return {
    id,
    controller: "cloud-node-controller",
    object: { kind: "Node", namespace: undefined, name, uid: undefined },
    trigger: { kind: "period" },
    attempt: 1,
    outcome,
    reason: { code: "InStep" },
    startedAt: 0,
    queuedMs: 0,
    durationMs: 1,
    cloudCalls: 1,
    kubeCalls: 0,
    changes: 0,
    dryRun: false,
    folded: 1,
  };
}

it("folds neighbours that changed nothing, keeps the newest, and keeps everything else separate", () => {
  const rows = foldRuns([
    run("5", "a", "unchanged"),
    run("4", "a", "unchanged"),
    run("3", "a", "changed"),
    run("2", "a", "unchanged"),
    run("1", "b", "unchanged"),
  ]);
  expect(rows.map(({ id, folded }) => [id, folded])).toEqual([
    ["5", 2],
    ["3", 1],
    ["2", 1],
    ["1", 1],
  ]);
});

it("keeps runs that a user requested separate", () => {
  const requested = { kind: "intent", intentId: "i1", actor: "ana" } as const;
  const rows = foldRuns([
    run("3", "a", "unchanged"),
    { ...run("2", "a", "unchanged"), trigger: requested },
    run("1", "a", "unchanged"),
  ]);
  expect(rows).toHaveLength(3);
});

it("adds up what the server has already folded", () => {
  const rows = foldRuns([
    { ...run("2", "a", "unchanged"), folded: 300 },
    { ...run("1", "a", "unchanged"), folded: 12 },
  ]);
  expect(rows.map(({ folded }) => folded)).toEqual([312]);
});

it("keeps runs with comments separate, so that the comments are found", () => {
  const rows = foldRuns([
    run("3", "a", "unchanged"),
    { ...run("2", "a", "unchanged"), comments: 2 },
    run("1", "a", "unchanged"),
  ]);
  expect(rows).toHaveLength(3);
});
