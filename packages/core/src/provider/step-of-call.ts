import type { Step } from "../model/run.ts";
import type { CloudCall } from "./call-context.ts";

const LONGEST_ERROR = 500;

/** A cloud call as a run's record shows it. */
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
    ...(call.error === undefined ? {} : { error: errorText(call.error) }),
  };
}

function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, LONGEST_ERROR);
}
