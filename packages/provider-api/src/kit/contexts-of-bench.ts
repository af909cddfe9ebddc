import type { Clock } from "../../model/time.ts";
import { createCloudBudget } from "../budget.ts";
import { type CloudCall, createCallContexts } from "../call-context.ts";
import type { CallContext } from "../provider.ts";

/** The contexts that a case calls a provider with, and every call made with them. */
export interface BenchContexts {
  readonly calls: readonly CloudCall[];
  context(signal?: AbortSignal): CallContext;
}

/** Each context has a budget of its own, so that a played 429 does not reach into the next question. */
export function contextsOfBench({
  provider,
  clock,
}: {
  readonly provider: string;
  readonly clock: Clock;
}): BenchContexts {
  const calls: CloudCall[] = [];
  return {
    calls,
    context: (signal = new AbortController().signal) => {
      const budget = createCloudBudget({ provider, clock });
      const contexts = createCallContexts({ provider, clock, budget, fence: () => true });
      return contexts({ signal, priority: "new", onCall: (call) => calls.push(call) });
    },
  };
}

export function mutations({ calls }: BenchContexts): number {
  return calls.filter(({ mutates }) => mutates).length;
}
