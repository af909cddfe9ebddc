import { titleOf } from "@cloudwright/core/model/audit/change-title";
import { diffRows } from "@cloudwright/core/model/audit/diff-rows";
import type { Change } from "@cloudwright/core/model/plan";
import type { Step } from "@cloudwright/core/model/run";
import { boundedText } from "@cloudwright/core/model/values/bounded-text";
import type { RunDetail } from "../views/views.ts";
import { TEXT_MOST } from "./frozen-pieces.ts";
import type { IncidentSnapshot } from "./snapshot-schema.ts";

type Plan = NonNullable<IncidentSnapshot["plan"]>;

/** Limits, as more of a run would not make an incident clearer. */
const CHANGES_MOST = 50;
const FIELDS_MOST = 20;
const CALLS_MOST = 100;

/** Returns the plan and calls of a run, without the bodies of failed calls. */
export function planOf(run: RunDetail): Plan {
  const { row, changes, notTaken, end } = run;
  const steps = end?.steps ?? [];
  return {
    ...{ runId: row.id, outcome: row.outcome, dryRun: row.dryRun, startedAt: row.startedAt },
    durationMs: row.durationMs,
    changes: changes.slice(0, CHANGES_MOST).map((change, index) => ({
      ...{ title: titleOf(change), reason: change.reason },
      fate: end === undefined ? NOT_KNOWN : index < end.applied ? "applied" : "not applied",
      fields: fieldsOf(change),
    })),
    notTaken: notTaken.slice(0, CHANGES_MOST),
    calls: callsToKeep(steps).map(callOf),
    changesLeftOut: Math.max(0, changes.length - CHANGES_MOST),
    callsLeftOut: Math.max(0, steps.length - CALLS_MOST),
  };
}

const NOT_KNOWN = "not known whether applied";

function fieldsOf({ before, after }: Change): Plan["changes"][number]["fields"] {
  return diffRows(before, after)
    .slice(0, FIELDS_MOST)
    .map((row) => ({
      path: boundedText(row.path, 300),
      before: row.before === undefined ? undefined : boundedText(row.before, TEXT_MOST),
      after: row.after === undefined ? undefined : boundedText(row.after, TEXT_MOST),
    }));
}

/** Returns the calls in order; when there are too many, it prefers the failed ones, then the last ones. */
function callsToKeep(steps: readonly Step[]): readonly Step[] {
  if (steps.length <= CALLS_MOST) return steps;
  const failed = steps.filter(({ error }) => error !== undefined);
  const others = steps.filter(({ error }) => error === undefined);
  const kept = new Set([...failed, ...others.toReversed()].slice(0, CALLS_MOST));
  return steps.filter((step) => kept.has(step));
}

function callOf(step: Step): Plan["calls"][number] {
  const { phase, system, operation, target, offsetMs, durationMs, attempt, status } = step;
  return {
    ...{ phase, system, offsetMs, durationMs, attempt, status },
    operation: boundedText(operation, 500),
    target: boundedText(target, 500),
    requestId: step.requestId === undefined ? undefined : boundedText(step.requestId, 300),
    error: step.error === undefined ? undefined : boundedText(step.error, 1_000),
  };
}
