import { type CallContext, isProviderError } from "@cloudwright/provider-api";
import type { CallPriority } from "../../model/call-priority.ts";
import type { Step } from "../../model/run.ts";
import { recordedBody } from "../../model/values/answer-body.ts";
import { messageOf } from "../../model/values/message-of.ts";
import { withoutSecrets } from "../../model/values/secrets.ts";
import type { LookupRun } from "../ports.ts";
import type { CallContexts, CloudCall } from "./call-context.ts";

const LONGEST_ERROR = 500;

/** Returns the context of calls that belong to one run: they end with it, and each is a step of it. */
export function contextOfRun(
  contexts: CallContexts,
  run: LookupRun,
  priority: CallPriority,
): CallContext {
  const { signal, startedAt } = run;
  return contexts({ signal, priority, onCall: (call) => run.step(stepOfCall(call, startedAt, 1)) });
}

/** Returns a cloud call as a step in a run's record. */
export function stepOfCall(
  call: CloudCall,
  runStartedAt: number,
  sharedBy: number,
): Omit<Step, "phase"> {
  return {
    system: "cloud",
    operation: call.operation,
    target: call.target,
    offsetMs: call.startedAt - runStartedAt,
    durationMs: call.durationMs,
    limiterWaitMs: call.limiterWaitMs,
    attempt: 1,
    sharedBy,
    ...(call.status === undefined ? {} : { status: call.status }),
    ...(call.requestId === undefined ? {} : { requestId: call.requestId }),
    ...(call.error === undefined ? {} : failureOf(call.error)),
  };
}

/** Returns the step for a lookup whose run ended before the cloud's answer came. */
export function stepWithoutAnswer(
  { operation, target }: Pick<Step, "operation" | "target">,
  times: Pick<Step, "offsetMs" | "durationMs">,
): Omit<Step, "phase"> {
  return {
    system: "cloud",
    operation,
    target,
    ...times,
    limiterWaitMs: 0,
    attempt: 1,
    sharedBy: 1,
    error: "The run ended before an answer came.",
  };
}

function failureOf(error: unknown): Pick<Step, "error" | "body"> {
  const said = isProviderError(error) ? error.call.body : undefined;
  const body = said === undefined ? undefined : recordedBody(said);
  return { error: errorText(error), ...(body === undefined ? {} : { body }) };
}

function errorText(error: unknown): string {
  const text = messageOf(error);
  return withoutSecrets(text).slice(0, LONGEST_ERROR);
}
