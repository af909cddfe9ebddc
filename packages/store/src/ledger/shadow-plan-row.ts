import { reasonName } from "@cloudwright/core/model/reason";
import type { RunEnd } from "@cloudwright/core/model/run";

/** The columns of `shadow_plans`, as JSON for one bulk insert; times in milliseconds. */
export interface ShadowPlanColumns {
  readonly at: number;
}

/** What these dry runs would do: of several runs of one object by one controller the newest. One that was cut short says nothing. */
export function newestShadowPlans(dryRuns: readonly RunEnd[]): readonly ShadowPlanColumns[] {
  const newest = new Map<string, ShadowPlanColumns>();
  for (const run of dryRuns) {
    if (run.outcome === "interrupted") continue;
    const key = keyOf(run);
    const row = rowOf(run);
    const known = newest.get(key);
    if (known === undefined || known.at <= row.at) newest.set(key, row);
  }
  return [...newest.values()];
}

function keyOf({ cluster, controller, object }: RunEnd): string {
  return [cluster, controller, object.kind, object.namespace ?? "", object.name].join("\n");
}

function rowOf(run: RunEnd) {
  return {
    cluster_id: run.cluster,
    controller: run.controller,
    object_kind: run.object.kind,
    object_namespace: run.object.namespace ?? "",
    object_name: run.object.name,
    object_uid: run.object.uid ?? null,
    run_id: run.id,
    at: run.startedAt + run.durationMs,
    outcome: run.outcome,
    reason: run.reason,
    reason_code: reasonName(run.reason),
    next: run.next,
    change_count: run.changes.length,
    changes: run.changes,
    not_taken: run.notTaken,
  };
}
