import type { InstanceRef, Lookup } from "@cloudwright/provider-api";
import type { InstanceDirectory, InstanceLookups, LookupOptions } from "../../cloud/ports.ts";
import type { ObjectAction, RequestedAction } from "../../model/actions/action.ts";
import type { Trigger } from "../../model/run.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";

export interface TestLookup {
  readonly ref: InstanceRef;
  readonly options: LookupOptions;
}

/** A run that records which instances were looked up. */
export interface TestRun extends RunContext {
  readonly lookups: readonly TestLookup[];
}

let runs = 0;

/** Returns a run whose cloud the test controls. */
export function testRun(
  answer: (requested: TestLookup) => Lookup | Promise<Lookup>,
  trigger: Trigger = { kind: "start" },
  requested?: RequestedAction<ObjectAction>,
): TestRun {
  const lookups: TestLookup[] = [];
  const lookup: InstanceLookups["lookup"] = async (ref, options) => {
    lookups.push({ ref, options });
    return answer({ ref, options });
  };
  runs += 1;
  return {
    runId: `run-${runs}`,
    trigger,
    requested,
    signal: new AbortController().signal,
    nowMs: 0,
    monotonicMs: 0,
    written: [],
    within: (_limitMs, work) => work,
    kube: {},
    priority: "new",
    lookups,
    // Serves any directory: these runs only look up instances.
    cloud: <Port extends object>() => ({ lookup }) as Port & InstanceLookups,
  };
}

/** The directory for a reconciler that works with such runs. */
export const INSTANCES: InstanceDirectory = {
  for: () => {
    throw new Error("The run answers, not its directory.");
  },
};
