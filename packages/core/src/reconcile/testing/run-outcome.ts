import type { Reason } from "../../model/reason.ts";
import type { RunOutcome } from "../loop-port.ts";

/** Returns the outcome of a run for the node `w-1` that changed nothing, unless `more` says otherwise. */
export function runOutcome(reason: Reason, more: Partial<RunOutcome> = {}): RunOutcome {
  return {
    controller: "cloud-node-controller",
    object: { kind: "Node", name: "w-1", uid: "u-1" },
    runId: "r-1",
    trigger: { kind: "period" },
    outcome: "unchanged",
    state: "ok",
    reason,
    failures: 0,
    nextAt: undefined,
    applied: 0,
    written: [],
    unwritten: [],
    durationMs: 1,
    queuedMs: 0,
    dryRun: false,
    ...more,
  };
}
