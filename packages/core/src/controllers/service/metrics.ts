import { isProviderError } from "@cloudwright/provider-api";
import type { Effect, MetricDeclaration } from "../../reconcile/effects.ts";
import type { FailedAttempt, RunResult, Written } from "../../reconcile/reconciler.ts";
import { isCloudWrite, type ServiceChange } from "./changes.ts";
import { refusedMember } from "./memory.ts";

/** One second, doubled fourteen times, as in upstream. */
const BUCKETS = Array.from({ length: 15 }, (_, power) => 2 ** power);

const UPDATES = "service_controller_loadbalancer_sync_total";
const UPDATES_FAILED = "service_controller_nodesync_error_total";
const UPDATE_SECONDS = "service_controller_update_loadbalancer_host_latency_seconds";
const DRIFT_CORRECTED = "cloudwright_load_balancer_drift_corrected_total";
/** Counted by the code that feeds the queue. */
export const NODE_SYNC_SECONDS = "service_controller_nodesync_latency_seconds";

/** The metrics of the service loop: upstream's (spec/30 §8), then ours. */
export const SERVICE_METRICS: readonly MetricDeclaration[] = [
  { name: UPDATES, type: "counter", help: "Updates of the members of load balancers." },
  { name: UPDATES_FAILED, type: "counter", help: "Updates of members that failed." },
  {
    name: UPDATE_SECONDS,
    type: "histogram",
    help: "How long one update of members took.",
    buckets: BUCKETS,
  },
  {
    name: NODE_SYNC_SECONDS,
    type: "histogram",
    help: "How long all load balancers took to follow a change of nodes.",
    buckets: BUCKETS,
  },
  {
    name: DRIFT_CORRECTED,
    type: "counter",
    help: "Writes that brought a load balancer back to its desired state.",
    labels: ["change"],
  },
];

/** Counts and times a run's writes. */
export function metricsOf(result: RunResult<ServiceChange>): readonly Effect[] {
  const isOfPeriod = result.trigger.kind === "period";
  return attemptsOf(result).flatMap((attempt) => {
    const { change, durationMs } = attempt;
    const isFailed = "error" in attempt;
    const seconds = durationMs / 1_000;
    return [
      ...(change.kind === "balancer.members"
        ? [count(UPDATES), count(UPDATE_SECONDS, seconds)]
        : []),
      ...(isFailed && isFailedUpdate(change, attempt.error) ? [count(UPDATES_FAILED)] : []),
      ...(isOfPeriod && !isFailed && isCloudWrite(change)
        ? [{ ...count(DRIFT_CORRECTED), labels: { change: change.kind } }]
        : []),
    ];
  });
}

function count(name: string, value = 1) {
  return { kind: "metric", name, value } as const;
}

export type Attempt = Written<ServiceChange> | FailedAttempt<ServiceChange>;

/** Returns all writes of a run, in order. */
export function attemptsOf({
  written,
  failed,
}: Pick<RunResult<ServiceChange>, "written" | "failed">): readonly Attempt[] {
  return [...failed, ...written].sort((one, other) => one.at - other.at);
}

/**
 * A busy load balancer is observed again by the loop, and a write refused for one member is retried without it: neither is a
 * failure.
 */
export function isFailedUpdate(change: ServiceChange, error: unknown): boolean {
  if (change.kind !== "balancer.members" || !isProviderError(error)) return false;
  return error.code !== "Conflict" && refusedMember(error) === undefined;
}
