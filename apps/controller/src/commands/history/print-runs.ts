import { formatDuration } from "@cloudwright/core/model/language/duration";
import { cause } from "@cloudwright/core/model/sentence";
import { triggerName } from "@cloudwright/core/model/trigger-name";
import type { RunRow } from "@cloudwright/store/views/views";
import { listPrinters, objectText, type TableColumn } from "../terminal/print.ts";

const COLUMNS: readonly TableColumn<RunRow>[] = [
  { title: "STARTED", width: 24, text: (run) => new Date(run.startedAt).toISOString() },
  { title: "CONTROLLER", width: 31, text: (run) => run.controller },
  { title: "OBJECT", width: 32, text: ({ object }) => objectText(object) },
  { title: "TRIGGER", width: 10, text: (run) => triggerName(run.trigger) },
  { title: "OUTCOME", width: 11, text: (run) => run.outcome },
  /** The number of identical runs without changes in that hour that the line stands for. */
  { title: "RUNS", width: 4, text: (run) => String(run.folded) },
  { title: "CHANGES", width: 7, text: (run) => String(run.changes) },
  { title: "CALLS", width: 5, text: (run) => String(run.cloudCalls + run.kubeCalls) },
  { title: "TOOK", width: 8, text: durationText },
  { title: "WHY", width: 0, text: (run) => (run.reason === undefined ? "" : cause(run.reason)) },
];

const CSV_HEAD =
  "id,started,controller,kind,namespace,name,uid,trigger,attempt,outcome,dry_run,runs,changes,cloud_calls,kube_calls,queued_ms,duration_ms,reason,why";

export const PRINTERS = listPrinters(COLUMNS, { head: CSV_HEAD, fields: csvFields });

function csvFields(run: RunRow): readonly (string | number | boolean | undefined)[] {
  return [
    run.id,
    new Date(run.startedAt).toISOString(),
    run.controller,
    run.object.kind,
    run.object.namespace,
    run.object.name,
    run.object.uid,
    run.trigger.kind,
    run.attempt,
    run.outcome,
    run.dryRun,
    run.folded,
    run.changes,
    run.cloudCalls,
    run.kubeCalls,
    Math.round(run.queuedMs),
    run.durationMs === undefined ? undefined : Math.round(run.durationMs),
    run.reason?.code,
    run.reason === undefined ? undefined : cause(run.reason),
  ];
}

function durationText({ durationMs }: RunRow): string {
  return durationMs === undefined ? "" : formatDuration(durationMs);
}
