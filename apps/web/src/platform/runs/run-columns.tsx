"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { formatDuration } from "@cloudwright/core/model/duration";
import type { RunRow } from "@cloudwright/store/views/views";
import { CauseText } from "../../components/evidence/cause-text.tsx";
import { Link } from "../../components/link.tsx";
import { ObjectLink } from "../../components/object-link.tsx";
import { outcomePresentation, triggerText } from "../../components/presentation/outcomes.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import styles from "./run-columns.module.css";

/** The columns of every list of runs; on a node's own page its name would only repeat. */
export function runColumns(
  cluster: string,
  options: { readonly withObject: boolean },
): readonly Column<RunRow>[] {
  return [
    {
      id: "started",
      header: "Started",
      width: 112,
      narrow: "second",
      cell: ({ startedAt }) => <TimeText at={startedAt} />,
    },
    {
      id: "outcome",
      header: "Outcome",
      width: 208,
      narrow: "first",
      pinned: true,
      value: ({ outcome }) => outcome,
      cell: (run) => <OutcomeCell cluster={cluster} run={run} />,
    },
    ...(options.withObject ? [objectColumn(cluster)] : []),
    {
      id: "why",
      header: "Why",
      width: 230,
      grows: true,
      folds: true,
      narrow: "line",
      cell: ({ reason }) => (reason === undefined ? "" : <CauseText reason={reason} />),
    },
    {
      id: "controller",
      header: "Controller",
      width: 136,
      cell: ({ controller }) => controllerOf(controller).label,
    },
    {
      id: "trigger",
      header: "Trigger",
      width: 112,
      cell: ({ trigger }) => <span title={triggerText(trigger)}>{triggerText(trigger)}</span>,
    },
    ...figureColumns(),
  ];
}

function objectColumn(cluster: string): Column<RunRow> {
  return {
    id: "object",
    header: "Object",
    width: 112,
    narrow: "line",
    cell: ({ object }) => (
      <ObjectLink cluster={cluster} object={object} className={styles.object} tabIndex={-1} />
    ),
  };
}

function figureColumns(): readonly Column<RunRow>[] {
  return [
    {
      id: "duration",
      header: "Queue + work",
      width: 118,
      align: "end",
      cell: ({ queuedMs, durationMs }) => (
        <span title={`Queued ${formatDuration(queuedMs)}`}>
          <span className={styles.queue}>{formatDuration(queuedMs)} + </span>
          {durationMs === undefined ? "…" : formatDuration(durationMs)}
        </span>
      ),
    },
    {
      id: "calls",
      header: "Cloud + kube",
      width: 112,
      align: "end",
      cell: ({ cloudCalls, kubeCalls }) => (
        <span title={`${cloudCalls} cloud calls, ${kubeCalls} Kubernetes calls`}>
          {cloudCalls} <span className={styles.queue}>+ {kubeCalls}</span>
        </span>
      ),
    },
    {
      id: "changes",
      header: "Changes",
      width: 80,
      align: "end",
      cell: ({ changes }) => (changes === 0 ? <span className={styles.queue}>0</span> : changes),
    },
  ];
}

function OutcomeCell({ cluster, run }: { readonly cluster: string; readonly run: RunRow }) {
  return (
    <Link className={styles.outcome} href={addresses.run(cluster, run.id)} prefetch={false}>
      <StatusChip status={outcomePresentation(run)}>{outcomeNotes(run)}</StatusChip>
    </Link>
  );
}

function outcomeNotes(run: RunRow): string | undefined {
  const notes = [
    run.folded > 1 ? `×${run.folded}` : "",
    run.attempt > 1 ? `try ${run.attempt}` : "",
    run.dryRun ? "dry run" : "",
  ].filter((note) => note !== "");
  return notes.length === 0 ? undefined : notes.join(" · ");
}
