import type { Step } from "@cloudwright/core/model/run";
import { peekRuns, type SpooledRun, spoolFolders } from "@cloudwright/store/spool/peek-runs";
import type { RunDetail, RunRow, RunsFilter } from "@cloudwright/store/views/views";

/** Reads the runs in the spools below a folder that no database has received yet, newest first; undefined if there is no spool. */
export function spooledRuns(folder: string): readonly RunDetail[] | undefined {
  const folders = spoolFolders(folder);
  if (folders.length === 0) return undefined;
  return newestFirst(folders.flatMap(peekRuns).map(detailOf));
}

export function newestFirst(runs: readonly RunDetail[]): readonly RunDetail[] {
  return runs.toSorted((left, right) => right.row.startedAt - left.row.startedAt);
}

/** Reports whether the filter selects a run; conditions that only a database can check are ignored. */
export function isSelected(row: RunRow, filter: RunsFilter): boolean {
  const { controller, outcomes, triggers, reason, minCalls = 0, from, to } = filter;
  return [
    controller === undefined || row.controller === controller,
    outcomes === undefined || outcomes.includes(row.outcome),
    triggers === undefined || triggers.includes(row.trigger.kind),
    reason === undefined || row.reason?.code === reason,
    row.cloudCalls + row.kubeCalls >= minCalls,
    from === undefined || row.startedAt >= from,
    to === undefined || row.startedAt < to,
    isObject(row, filter.key),
  ].every(Boolean);
}

/** Matches `w-9`, `w-*`, or with a namespace `shop/web`. */
function isObject({ object }: RunRow, key: string | undefined): boolean {
  if (key === undefined) return true;
  const slash = key.indexOf("/");
  const isNamed = fits(object.name, key.slice(slash + 1));
  return slash < 0 ? isNamed : isNamed && fits(object.namespace ?? "", key.slice(0, slash));
}

/** Matches a pattern in which `*` stands for any text. */
function fits(text: string, glob: string): boolean {
  const pattern = glob
    .split("*")
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${pattern}$`, "s").test(text);
}

function detailOf({ run, droppedCalls }: SpooledRun): RunDetail {
  const end = run.type === "run.end" ? run : undefined;
  const calls = (system: Step["system"]) =>
    (end?.steps.filter((step) => step.system === system).length ?? 0) + droppedCalls[system];
  const { kind, namespace, name, uid } = run.object;
  return {
    row: {
      id: run.id,
      controller: run.controller,
      object: { kind, namespace, name, uid },
      trigger: run.trigger,
      attempt: run.attempt,
      outcome: end?.outcome ?? "running",
      reason: end?.reason,
      startedAt: run.startedAt,
      queuedMs: run.queuedMs,
      durationMs: end?.durationMs,
      cloudCalls: calls("cloud"),
      kubeCalls: calls("kube"),
      changes: run.changes.length,
      dryRun: run.dryRun,
      folded: 1,
    },
    end,
    changes: run.changes,
    notTaken: run.notTaken,
    instance: run.instance,
    previousId: undefined,
    nextId: undefined,
    intent: undefined,
  };
}
