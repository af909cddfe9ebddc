import type { Change } from "@cloudwright/core/model/plan";
import type { RunEnd, Step } from "@cloudwright/core/model/run";
import type { RunDetail, RunRow } from "@cloudwright/store/views/views";

export function runRow(over: Partial<RunRow> = {}): RunRow {
  return {
    ...{ id: "0190aaaa-0000-7000-8000-000000000001", controller: "cloud-node-controller" },
    object: { kind: "Node", namespace: undefined, name: "w-1", uid: "u-1" },
    ...{
      trigger: { kind: "period" },
      attempt: 1,
      outcome: "changed",
      reason: { code: "Initialised" },
    },
    ...{ startedAt: Date.now() - 14 * 60_000, queuedMs: 3, durationMs: 250, cloudCalls: 1 },
    ...{ kubeCalls: 2, changes: 1, dryRun: false, folded: 1 },
    ...over,
  };
}

export function holdChange(name = "w-1"): Change {
  return {
    ...{
      kind: "node.hold",
      system: "cluster",
      before: { hold: null },
      after: { hold: { until: 5 } },
    },
    target: { kind: "Node", name, uid: `u-${name}` },
    reason: { code: "PersonAsked", by: "ana", why: "disk check", intentId: "i-1" },
  };
}

export function runStep(over: Partial<Step> = {}): Step {
  return {
    ...{ phase: "observe", system: "cloud", operation: "GET /v1/instances", target: "w-1" },
    ...{ offsetMs: 10, durationMs: 100, limiterWaitMs: 0, status: 200, attempt: 1, sharedBy: 1 },
    ...over,
  };
}

/** Returns a run that made one change as the server does, with the given members replaced. */
export function runDetail(
  over: Partial<Omit<RunDetail, "row">> & { readonly row?: Partial<RunRow> } = {},
): RunDetail {
  const { row: part, ...more } = over;
  const row = runRow(part);
  const changes = more.changes ?? [holdChange()];
  return {
    ...{ row, end: runEnd(row, changes), changes, notTaken: [], instance: "ctl-1_aa" },
    ...{ previousId: undefined, nextId: undefined, intent: undefined },
    ...more,
  };
}

export function runEnd(
  row: RunRow,
  changes: RunEnd["changes"],
  over: Partial<RunEnd> = {},
): RunEnd {
  return {
    ...{ type: "run.end", id: row.id, cluster: "c-1", instance: "ctl-1_aa", trigger: row.trigger },
    ...{ controller: row.controller, object: { kind: "Node", name: "w-1" }, attempt: row.attempt },
    ...{ startedAt: row.startedAt, queuedMs: row.queuedMs, dryRun: row.dryRun, changes },
    ...{ notTaken: [], durationMs: 250, planMs: 1, outcome: "changed" },
    reason: { code: "Initialised" },
    next: { kind: "settled", reason: { code: "InStep" } },
    ...{ applied: changes.length, steps: [runStep()] },
    ...over,
  };
}
