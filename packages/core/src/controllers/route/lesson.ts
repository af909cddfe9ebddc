import { isProviderError, type ProviderError } from "@cloudwright/provider-api";
import { reasonOfProviderError } from "../../cloud/calls/provider-reason.ts";
import type { Reason } from "../../model/reason.ts";
import { LookAgain } from "../../reconcile/look-again.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import type { RouteMemory } from "./route-memory.ts";

export interface FailedCall {
  readonly memory: RouteMemory;
  readonly key: string;
  /** The range to which there was to be a route, or the id of the one that was to go. */
  readonly of: string;
  /** The range; undefined for a removal. */
  readonly cidr?: string;
}

/**
 * What a failed call to the cloud has taught. The run goes on without that route: the other ranges and the condition of the
 * node do not wait for it. What the cloud refuses because of what is there already is looked at once more first.
 */
export function lessonOf(call: FailedCall, error: unknown, run: RunContext): unknown {
  if (!isProviderError(error) || error.call.fenced === true || run.signal.aborted) return error;
  const { memory, key, of, cidr } = call;
  const isRefused = error.code === "Conflict" || error.call.mayBeDone === true;
  if (isRefused && memory.mayLookAgain(key, run.runId, of)) {
    return new LookAgain(`what is at ${of}`, error);
  }
  memory.failed(key, run.runId, { of, why: reasonOf(error, cidr) });
  return new LookAgain(`the failure at ${of}`, error);
}

function reasonOf(error: ProviderError, cidr: string | undefined): Reason {
  if (error.code !== "QuotaExceeded" || cidr === undefined) return reasonOfProviderError(error);
  const { provider, requestId } = error.call;
  const { message } = error;
  return {
    code: "RouteTableFull",
    provider,
    cidr,
    message,
    ...(requestId === undefined ? {} : { requestId }),
  };
}
