import type { CallContext } from "@cloudwright/provider-api";
import type { CallPriority } from "../../model/call-priority.ts";
import type { Step } from "../../model/run.ts";
import type { CallContexts } from "./call-context.ts";
import { stepOfCall } from "./step-of-call.ts";

/** The run that asks the cloud for something which others may ask for as well. */
export interface LookupRun {
  /** Milliseconds since the epoch: steps count from here. */
  readonly startedAt: number;
  /** When it aborts, what this run waits for rejects with its reason; a shared call goes on for the others. */
  readonly signal: AbortSignal;
  step(step: Omit<Step, "phase">): void;
}

/** The context of calls that are one run's own: they end with it, and each is a step of it. */
export function contextOfRun(
  contexts: CallContexts,
  run: LookupRun,
  priority: CallPriority,
): CallContext {
  const { signal, startedAt } = run;
  return contexts({ signal, priority, onCall: (call) => run.step(stepOfCall(call, startedAt, 1)) });
}
