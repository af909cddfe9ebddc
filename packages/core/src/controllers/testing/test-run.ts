import type { InstanceRef, Lookup } from "@cloudwright/provider-api";
import type { LookupOptions } from "../../cloud/instances/lookup-port.ts";
import type { ObjectAction, RequestedAction } from "../../model/action.ts";
import type { Trigger } from "../../model/run.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";

export interface TestLookup {
  readonly ref: InstanceRef;
  readonly options: LookupOptions;
}

/** A run that keeps which instances were looked up. */
export interface TestRun extends RunContext {
  readonly lookups: readonly TestLookup[];
}

let runs = 0;

/** A run whose cloud answers as the test says. */
export function testRun(
  answer: (requested: TestLookup) => Lookup | Promise<Lookup>,
  trigger: Trigger = { kind: "start" },
  requested?: RequestedAction<ObjectAction>,
): TestRun {
  const lookups: TestLookup[] = [];
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
    balancers: { observe: NOT_HERE, apply: NOT_HERE, owned: NOT_HERE },
    routes: { list: NOT_HERE, create: NOT_HERE, remove: NOT_HERE },
    volumes: { describe: NOT_HERE, grow: NOT_HERE },
    instances: {
      lookup: async (ref, options) => {
        lookups.push({ ref, options });
        return answer({ ref, options });
      },
    },
  };
}

const NOT_HERE = () => Promise.reject(new Error("This run looks up instances alone."));
