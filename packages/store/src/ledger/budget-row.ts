import type { ApiUse, BudgetMinute } from "@cloudwright/core/model/records/budget-record";

/** A minute's sums stand in columns of their own, so that a chart of a day reads nothing else. */
export function budgetRow(minute: BudgetMinute): object {
  const { cluster, at, instance, provider, dryRun, coveredMs, cloud, kube } = minute;
  return {
    cluster_id: cluster,
    at,
    instance,
    provider,
    dry_run: dryRun,
    covered_ms: coveredMs,
    calls: sumOf(cloud, "calls"),
    throttled: sumOf(cloud, "throttled"),
    limit_per_minute: cloud.limitPerMinute ?? null,
    kube_calls: sumOf(kube, "calls"),
    kube_throttled: sumOf(kube, "throttled"),
    kube_limit_per_minute: kube.limitPerMinute ?? null,
    cloud,
    kube,
    controllers: minute.controllers,
    waiters: minute.waiters,
  };
}

function sumOf({ operations }: ApiUse, what: "calls" | "throttled"): number {
  return operations.reduce((sum, counts) => sum + counts[what], 0);
}
