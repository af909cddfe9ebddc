import {
  type CallContext,
  type InstanceRef,
  instanceKey,
  type Lookup,
} from "@cloudwright/provider-api";
import type { Step } from "../../model/run.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { createCloudBudget } from "../calls/budget.ts";
import { createCallContexts } from "../calls/call-context.ts";
import { createInstanceDirectory } from "../instances/instance-directory.ts";
import type { InstanceDirectory, LookupOptions } from "../ports.ts";
import { rememberedPriorities } from "./remembered-priorities.ts";

export const BATCH: LookupOptions = { maxAgeMs: 0, mode: "batch", priority: "new" };

export const FRESH: LookupOptions = { ...BATCH, maxAgeMs: 10_000 };

export const SINGLE: LookupOptions = { ...BATCH, mode: "single" };

export interface Asked {
  readonly refs: readonly string[];
  readonly mode: string;
  readonly priority: string | undefined;
}

/** Returns a slow cloud that knows the instances in `there`, and a directory for it. */
export function fixture({ latencyMs = 100, batches = 4, pages = 1 } = {}) {
  const clock = createManualClock();
  const asked: Asked[] = [];
  const there = new Set<string>();
  const aborted: string[] = [];
  const budget = createCloudBudget({ provider: "sandbox", clock });
  const { contexts, priorityOf } = rememberedPriorities(
    createCallContexts({ provider: "sandbox", clock, budget, fence: () => true }),
  );
  const describe = async (
    refs: readonly InstanceRef[],
    options: { readonly mode: string },
    context: CallContext,
  ) => {
    asked.push({
      refs: refs.map(instanceKey),
      mode: options.mode,
      priority: priorityOf(context),
    });
    context.signal.addEventListener("abort", () => aborted.push(refs.map(instanceKey).join()));
    const page = () =>
      context.call(
        { operation: "GET /v1/instances", target: `${refs.length} instances`, mutates: false },
        () =>
          new Promise<{ value: ReadonlyMap<string, Lookup>; status: number; requestId: string }>(
            (resolve) => {
              const requestId = `r-${asked.length}`;
              const value = new Map(refs.map((ref) => [instanceKey(ref), answer(ref, requestId)]));
              clock.after(latencyMs, () => resolve({ value, status: 200, requestId }));
            },
          ),
      );
    for (let before = 1; before < pages; before += 1) await page();
    return page();
  };
  const answer = (ref: InstanceRef, requestId: string): Lookup =>
    there.has(ref.nodeName) ? found(ref, requestId) : { kind: "notListed", requestId };
  const directory = createInstanceDirectory({
    instances: { describe },
    contexts,
    clock,
    batches,
    budgetWaitMs: () => budget.waitMs(),
  });
  return { clock, budget, asked, there, aborted, directory };
}

export function found({ nodeName }: InstanceRef, requestId: string): Lookup {
  const facts = {
    providerID: `sandbox://${nodeName}`,
    name: nodeName,
    type: "m1",
    zone: "a",
    region: "r",
    addresses: [],
    additionalLabels: {},
    power: "running" as const,
    asOf: 0,
  };
  return { kind: "found", facts, requestId };
}

export function run(directory: InstanceDirectory, startedAt: number) {
  const steps: Omit<Step, "phase">[] = [];
  const ends = new AbortController();
  const lookups = directory.for({
    startedAt,
    signal: ends.signal,
    step: (step) => steps.push(step),
  });
  return { steps, ends, lookups };
}

export function byName(nodeName: string): InstanceRef {
  return { nodeName, providerID: undefined };
}
