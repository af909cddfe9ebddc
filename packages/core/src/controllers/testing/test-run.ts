import type { Trigger } from "../../model/run.ts";
import type { LookupOptions } from "../../provider/lookup-port.ts";
import type { InstanceRef, Lookup } from "../../provider/provider.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";

export interface Asked {
  readonly ref: InstanceRef;
  readonly options: LookupOptions;
}

let runs = 0;

/** A run whose cloud answers as the test says; it keeps what was asked. */
export function testRun(
  answer: (asked: Asked) => Lookup | Promise<Lookup>,
  trigger: Trigger = { kind: "start" },
): RunContext & { readonly asked: readonly Asked[] } {
  const asked: Asked[] = [];
  runs += 1;
  return {
    runId: `run-${runs}`,
    trigger,
    signal: new AbortController().signal,
    nowMs: 0,
    kube: {},
    priority: "new",
    asked,
    instances: {
      lookup: async (ref, options) => {
        asked.push({ ref, options });
        return answer({ ref, options });
      },
    },
  };
}
