import type { Reason } from "@cloudwright/core/model/reason";
import type { RunOutcome } from "@cloudwright/core/reconcile/loop-port";
import { expect, it } from "vitest";
import { createLog } from "../logging/log.ts";
import { createRunLog } from "./run-log.ts";
import { RunNotes } from "./run-notes.ts";

const FOREIGN: Reason = { code: "ForeignNode", providerID: "elsewhere://1", provider: "p" };
const READY: Reason = { code: "NodeReady" };
const LIFECYCLE = { controller: "cloud-node-lifecycle-controller" } as const;

function unchanged(reason: Reason, over: Partial<RunOutcome> = {}): RunOutcome {
  return {
    controller: "cloud-node-controller",
    object: { kind: "Node", name: "n1", uid: "u-1" },
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
    ...over,
  };
}

/** The lines of these runs, in the logs of two controllers of one process. */
function logged(...runs: readonly RunOutcome[]): readonly string[] {
  const lines: string[] = [];
  const log = createLog({ format: "text", verbosity: 0, write: (line) => lines.push(line) });
  const notes = new RunNotes();
  const logs = {
    node: createRunLog(log, "cloud-node-controller", notes),
    lifecycle: createRunLog(log, "cloud-node-lifecycle-controller", notes),
  };
  for (const run of runs) {
    logs[run.controller === LIFECYCLE.controller ? "lifecycle" : "node"].ended(run);
  }
  return lines;
}

it("names a node of another cloud once, whichever controllers say so and how often", () => {
  const lines = logged(
    unchanged(FOREIGN),
    unchanged(FOREIGN),
    unchanged(FOREIGN, LIFECYCLE),
    unchanged(READY, LIFECYCLE),
    unchanged(FOREIGN),
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/INFO .*belongs to another cloud/);
});

it("names it again when it is another Node, or was well in between", () => {
  const lines = logged(
    unchanged(FOREIGN),
    unchanged(FOREIGN, { object: { kind: "Node", name: "n1", uid: "u-2" } }),
    unchanged({ code: "InStep" }),
    unchanged(FOREIGN),
  );
  expect(lines).toHaveLength(3);
});
