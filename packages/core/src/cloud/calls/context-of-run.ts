import type { CallContext } from "@cloudwright/provider-api";
import type { CallPriority } from "../../model/call-priority.ts";
import type { CallContexts } from "./call-context.ts";
import type { LookupRun } from "./lookup-run.ts";
import { stepOfCall } from "./step-of-call.ts";

/** The context of calls that are one run's own: they end with it, and each is a step of it. */
export function contextOfRun(
  contexts: CallContexts,
  run: LookupRun,
  priority: CallPriority,
): CallContext {
  const { signal, startedAt } = run;
  return contexts({ signal, priority, onCall: (call) => run.step(stepOfCall(call, startedAt, 1)) });
}
