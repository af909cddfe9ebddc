import type { Reason } from "@cloudwright/core/model/reason";
import type { RunOutcome } from "@cloudwright/core/reconcile/loop-port";
import { runOutcome } from "@cloudwright/core/reconcile/testing/run-outcome";
import { expect, it } from "vitest";
import { createLog } from "../../logging/log.ts";
import { createRunLog, RunNotes } from "./run-log.ts";

const FOREIGN: Reason = { code: "ForeignNode", providerID: "elsewhere://1", provider: "p" };
const READY: Reason = { code: "NodeReady" };
const LIFECYCLE = { controller: "cloud-node-lifecycle-controller" } as const;

/** Returns the lines for these runs in the logs of two controllers of one process. */
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

it("names a node of another cloud once, whichever controllers report it and how often", () => {
  const lines = logged(
    runOutcome(FOREIGN),
    runOutcome(FOREIGN),
    runOutcome(FOREIGN, LIFECYCLE),
    runOutcome(READY, LIFECYCLE),
    runOutcome(FOREIGN),
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/INFO .*belongs to a cloud other than p/);
});

it("names it again if it is another Node, or was healthy in between", () => {
  const lines = logged(
    runOutcome(FOREIGN),
    runOutcome(FOREIGN, { object: { kind: "Node", name: "w-1", uid: "u-2" } }),
    runOutcome({ code: "InStep" }),
    runOutcome(FOREIGN),
  );
  expect(lines).toHaveLength(3);
});
