import type { MadeCall, ProviderError } from "@cloudwright/provider-api";
import { errorOfFailure } from "./connection/failures.ts";
import type { CloudCall } from "./generated/cloudwright/provider/v1/provider_pb.js";

/** A call to the process, and what its answer reports about calls to the cloud. */
export interface Reported {
  readonly provider: string;
  readonly operation: string;
  readonly target: string;
  readonly mutates: boolean;
  readonly startedAt: number;
  readonly calls: readonly CloudCall[];
  /** Failures of single items in a batch. */
  readonly failures: readonly ProviderError[];
  /** Whether every answer of this provider reports its calls. */
  readonly isComplete: boolean;
}

/**
 * Returns the calls that are recorded instead of the request. An answer that reports no calls, and some of whose items failed,
 * counts as one failed call, so that the budget learns about the cloud's refusals.
 */
export function madeCalls(reported: Reported): readonly MadeCall[] | undefined {
  const { calls, failures, isComplete } = reported;
  if (isComplete || calls.length > 0) return calls.map((call) => madeCall(reported, call));
  const error = failures.find(({ code }) => code === "Throttled") ?? failures[0];
  if (error === undefined) return undefined;
  const { operation, target, mutates, startedAt } = reported;
  const { status, requestId } = error.call;
  return [
    {
      ...{ operation, target, mutates, startedAt, error },
      durationMs: Date.now() - startedAt,
      ...(status === undefined ? {} : { status }),
      ...(requestId === undefined ? {} : { requestId }),
    },
  ];
}

function madeCall({ provider }: Reported, call: CloudCall): MadeCall {
  const { operation, target, mutates, startedMs, durationMs, status, requestId, failure } = call;
  return {
    ...{ operation, target, mutates, durationMs },
    startedAt: Number(startedMs),
    ...(status === 0 ? {} : { status }),
    ...(requestId === "" ? {} : { requestId }),
    ...(failure === undefined ? {} : { error: errorOfFailure(failure, { provider, operation }) }),
  };
}
