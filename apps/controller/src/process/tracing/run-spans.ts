import { objectName } from "@cloudwright/core/model/object-ref";
import type { Outcome, RunEnd, Step } from "@cloudwright/core/model/run";
import { cause } from "@cloudwright/core/model/sentence";
import { triggerName } from "@cloudwright/core/model/trigger-name";
import { withoutSecrets } from "@cloudwright/core/model/values/secrets";

/** A run, or one of its calls, as a span of a trace. Times are milliseconds since the epoch. */
export interface RunSpan {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Why it failed; absent if it succeeded. */
  readonly failure?: string;
}

export interface RunTrace {
  /** 32 hexadecimal digits, those of the run's id, so that each can be found by the other. */
  readonly traceId: string;
  readonly run: RunSpan;
  readonly calls: readonly RunSpan[];
}

/** Returns the trace of a run, from the ledger's record of it. Only the ledger keeps the bodies of calls and what changes wrote. */
export function traceOf(run: RunEnd): RunTrace {
  return {
    traceId: run.id.replaceAll("-", ""),
    run: runSpan(run),
    calls: run.steps.map((step) => callSpan(run, step)),
  };
}

const FAILED: ReadonlySet<Outcome> = new Set(["failed", "timedOut", "interrupted"]);

function runSpan(run: RunEnd): RunSpan {
  const { controller, object, outcome, reason, startedAt, durationMs } = run;
  return {
    name: `${controller} ${object.kind}`,
    startMs: startedAt,
    endMs: startedAt + durationMs,
    attributes: {
      "cloudwright.run.id": run.id,
      "cloudwright.controller": controller,
      "cloudwright.object.kind": object.kind,
      "cloudwright.object.name": objectName(object),
      ...(object.uid === undefined ? {} : { "cloudwright.object.uid": object.uid }),
      "cloudwright.outcome": outcome,
      "cloudwright.reason": reason.code,
      "cloudwright.trigger": triggerName(run.trigger),
      "cloudwright.attempt": run.attempt,
      "cloudwright.dry_run": run.dryRun,
      "cloudwright.queued_ms": run.queuedMs,
      "cloudwright.plan_ms": run.planMs,
      "cloudwright.changes.planned": run.changes.length,
      "cloudwright.changes.applied": run.applied,
    },
    ...(FAILED.has(outcome) ? { failure: withoutSecrets(cause(reason)) } : {}),
  };
}

function callSpan({ startedAt }: RunEnd, step: Step): RunSpan {
  const startMs = startedAt + step.offsetMs;
  return {
    name: step.operation,
    startMs,
    endMs: startMs + step.durationMs,
    attributes: {
      "cloudwright.call.system": step.system,
      "cloudwright.call.phase": step.phase,
      "cloudwright.call.target": withoutSecrets(step.target),
      "cloudwright.call.attempt": step.attempt,
      "cloudwright.call.shared_by": step.sharedBy,
      "cloudwright.call.limiter_wait_ms": step.limiterWaitMs,
      ...(step.status === undefined ? {} : { "http.response.status_code": step.status }),
      ...(step.requestId === undefined ? {} : { "cloudwright.call.request_id": step.requestId }),
    },
    ...(step.error === undefined ? {} : { failure: withoutSecrets(step.error) }),
  };
}
