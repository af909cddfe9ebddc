import type { Change } from "@cloudwright/core/model/plan";
import type { Reason } from "@cloudwright/core/model/reason";
import type { RunOutcome } from "@cloudwright/core/reconcile/loop-port";
import { runOutcome } from "@cloudwright/core/reconcile/testing/run-outcome";
import { describe, expect, it } from "vitest";
import { createLog } from "../../logging/log.ts";
import { createRunLog } from "./run-log.ts";

const OK: Reason = { code: "InStep" };
const UNKNOWN: Reason = {
  code: "InstanceNotFound",
  provider: "sandbox",
  by: "name",
  value: "node-3",
};
const NODE = { kind: "Node", name: "node-3", uid: "u-3" } as const;

const DELETION: Change = {
  kind: "node.delete",
  system: "cluster",
  target: NODE,
  before: { uid: "u-3", providerID: "sandbox://i-3" },
  after: null,
  reason: OK,
};
const RANGES: Change = {
  ...DELETION,
  kind: "node.pod-cidrs.write",
  before: { podCIDRs: [] },
  after: { podCIDRs: ["10.0.3.0/24"] },
};

function outcome({ reason = OK, ...more }: Partial<RunOutcome> = {}): RunOutcome {
  const lifecycle = { controller: "cloud-node-lifecycle-controller", object: NODE } as const;
  return runOutcome(reason, { ...lifecycle, durationMs: 1.4, ...more });
}

/** Returns the lines for these runs, and for the end. */
function logged(...runs: readonly Partial<RunOutcome>[]): readonly string[] {
  const lines: string[] = [];
  const log = createLog({ format: "text", verbosity: 0, write: (line) => lines.push(line) });
  const runLog = createRunLog(log, "cloud-node-lifecycle-controller");
  for (const run of runs) runLog.ended(outcome(run));
  runLog.summarise();
  return lines;
}

describe("the log of runs", () => {
  it("contains what was written", () => {
    const [line] = logged({ outcome: "changed", applied: 2, written: [DELETION, RANGES] });
    expect(line).toContain("INFO  Run ended");
    expect(line).toContain('"node-3: deleted (uid u-3, precondition uid and resourceVersion)"');
    expect(line).toContain('"node-3: pod ranges written (podCIDRs: none → 10.0.3.0/24)"');
  });

  it("contains what a failed run had written before", () => {
    const [line] = logged({ outcome: "failed", failures: 1, applied: 1, written: [RANGES] });
    expect(line).toMatch(/WARN .*pod ranges written/);
  });

  it.each<[RunOutcome["trigger"], RegExp]>([
    [{ kind: "retry" }, / trigger=auto-retry /],
    [{ kind: "intent", intentId: "i", actor: "ann" }, / trigger=action by=ann /],
    [{ kind: "change", what: "created" }, / trigger=change /],
  ])("reports the trigger %j by its name", (trigger, pattern) => {
    expect(logged({ outcome: "changed", trigger })[0]).toMatch(pattern);
  });

  it("omits runs that changed nothing", () => {
    expect(logged({}, { outcome: "waiting", reason: { code: "NodeReady" } })).toEqual([]);
  });

  it("reports at the first lookup that the cloud does not know a new node, once for each Node", () => {
    const unknown = { outcome: "waiting", reason: UNKNOWN } as const;
    const lines = logged(unknown, unknown, {
      ...unknown,
      object: { ...NODE, uid: "u-4" },
    });
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/INFO .*object=Node\/node-3 .*outcome=waiting .*node-3/);
  });
});

describe("the log of a dry run", () => {
  const differs = { dryRun: true, unwritten: [DELETION] } as const;

  it("reports each difference once, and at the end their number", () => {
    const lines = logged(differs, differs, {
      ...differs,
      object: { ...NODE, name: "node-4" },
      unwritten: [RANGES, RANGES],
    });
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      /INFO {2}Dry run: this would be written .*object=Node\/node-3 .*Delete node node-3 \(uid u-3/,
    );
    expect(lines[2]).toContain(
      'Dry run ended controller=cloud-node-lifecycle-controller objects=2 changes=3 kinds={"node.delete":1,"node.pod-cidrs.write":2}',
    );
  });

  it("reports changed differences, and those that are gone", () => {
    const lines = logged(differs, { ...differs, unwritten: [RANGES] }, { dryRun: true });
    expect(lines[1]).toContain("podCIDRs: none → 10.0.3.0/24");
    expect(lines[2]).toContain("Dry run: no longer differs");
    expect(lines[3]).toContain("objects=0 changes=0");
  });

  it("keeps a difference that it could not check", () => {
    const lines = logged(differs, { dryRun: true, outcome: "failed", failures: 1 });
    expect(lines.at(-1)).toContain("objects=1 changes=1");
  });
});
