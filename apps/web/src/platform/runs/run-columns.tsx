"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { Commented } from "@cloudwright/store/views/comments";
import type { RunRow } from "@cloudwright/store/views/views";
import { CauseText } from "../../components/evidence/sentence-text.tsx";
import { Link } from "../../components/link.tsx";
import { ObjectLink } from "../../components/object-link.tsx";
import { outcomePresentation } from "../../components/presentation/outcomes.ts";
import { triggerText } from "../../components/presentation/trigger-text.ts";
import { RowStatus } from "../../components/status/row-status.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn, timeColumn } from "../../components/table/columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { WithComments } from "../comments/with-comments.tsx";
import styles from "./run-columns.module.css";

/** The columns of every list of runs; a node's own page leaves out its name, which would only repeat. */
export function runColumns(options: {
  readonly withObject: boolean;
}): readonly Column<Commented<RunRow>>[] {
  return [
    timeColumn(["started", t`Started`, 112, { narrow: "second" }], ({ startedAt }) => startedAt),
    column(
      [
        "outcome",
        t`Outcome`,
        180,
        { narrow: "first", pinned: true, value: ({ outcome }) => outcome },
      ],
      (run) => <OutcomeCell run={run} />,
    ),
    ...(options.withObject ? [objectColumn()] : []),
    column(["why", t`Why`, 230, { grows: true, folds: true, narrow: "line" }], ({ reason }) =>
      reason === undefined ? "" : <CauseText reason={reason} />,
    ),
    column(["controller", t`Controller`, 136], ({ controller }) => controllerOf(controller).label),
    textColumn(["trigger", t`Trigger`, 126], ({ trigger }) => triggerText(trigger)),
    ...figureColumns(),
  ];
}

function objectColumn(): Column<RunRow> {
  return column(["object", t`Object`, 112, { narrow: "line" }], ({ object }) => (
    <ObjectLink object={object} className="strong" tabIndex={-1} />
  ));
}

function figureColumns(): readonly Column<RunRow>[] {
  return [
    column(["duration", t`Queue + work`, 136, { align: "end" }], ({ queuedMs, durationMs }) => (
      <span title={t`Queued ${formatDuration(queuedMs)}`}>
        <span className="quiet">{formatDuration(queuedMs)} + </span>
        {durationMs === undefined ? "…" : formatDuration(durationMs)}
      </span>
    )),
    column(["calls", t`Cloud + kube`, 112, { align: "end" }], ({ cloudCalls, kubeCalls }) => (
      <span title={t`${cloudCalls} cloud calls, ${kubeCalls} Kubernetes calls`}>
        {cloudCalls} <span className="quiet">+ {kubeCalls}</span>
      </span>
    )),
    column(["changes", t`Changes`, 80, { align: "end" }], ({ changes }) =>
      changes === 0 ? <span className="quiet">0</span> : changes,
    ),
  ];
}

function OutcomeCell({ run }: { readonly run: Commented<RunRow> }) {
  const cluster = useClusterId();
  return (
    <WithComments count={run.comments}>
      <Link className={styles.outcome} href={addresses.run(cluster, run.id)} prefetch={false}>
        <RowStatus status={outcomePresentation(run)}>{outcomeNotes(run)}</RowStatus>
      </Link>
    </WithComments>
  );
}

function outcomeNotes(run: RunRow): string | undefined {
  const notes = [
    run.folded > 1 ? `×${run.folded}` : "",
    run.attempt > 1 ? t`attempt ${run.attempt}` : "",
    run.dryRun ? t`dry run` : "",
  ].filter((note) => note !== "");
  return notes.length === 0 ? undefined : notes.join(" · ");
}
