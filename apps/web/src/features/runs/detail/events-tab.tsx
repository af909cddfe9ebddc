"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import { objectName } from "@cloudwright/core/model/object-ref";
import type { RunEvent, RunEvents } from "@cloudwright/store/views/run-events";
import type { RunDetail, RunRow } from "@cloudwright/store/views/views";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../../components/api.ts";
import { LogMessage } from "../../../components/evidence/recorded-text.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import detailPage from "../../../components/page/detail-page.module.css";
import page from "../../../components/page/page.module.css";
import { EmptyState, Pending } from "../../../components/page/panel-states.tsx";
import { RowStatus } from "../../../components/status/row-status.tsx";
import type { Column } from "../../../components/table/column.ts";
import { column, textColumn, timeColumn } from "../../../components/table/columns.tsx";
import { DataTable } from "../../../components/table/data-table.tsx";
import { ClockText } from "../../../components/time/time-text.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { ExportMenu } from "../../../platform/lists/export-menu.tsx";
import { EVENT_TYPE_PRESENTATION } from "../../../platform/objects/object-event-columns.tsx";

/** The Kubernetes Events of a run, among those of its object around that time. */
export function EventsTab({ run }: { readonly run: RunDetail }) {
  const cluster = useClusterId();
  const api = useApi();
  const { id, outcome } = run.row;
  // The end of a run brings its Events.
  const events = useQuery(
    api.runs.events.queryOptions(
      { cluster, id },
      { refetchInterval: outcome === "running" ? 2_000 : false },
    ),
  );
  if (events.data === undefined) return <Pending isCard query={events} />;
  return <EventsTable run={run.row} found={events.data} />;
}

function EventsTable({ run, found }: { readonly run: RunRow; readonly found: RunEvents }) {
  const cluster = useClusterId();
  const columns = useMemo(() => eventColumns(cluster, run.id), [cluster, run.id]);
  const rows = useMemo(() => numbered(found.events), [found.events]);
  const ofRun = rows.filter(({ runId }) => runId === run.id).length;
  const why = whyNone(run, found);
  if (rows.length === 0) {
    return (
      <EmptyState isCard title={why.title}>
        {mixed`${why.text} No other run of ${objectName(run.object)} sent one from ${<ClockText at={found.from} />}
          to ${<ClockText at={found.to} />} either.`}
      </EmptyState>
    );
  }
  return (
    <div className={`${page.card} flex column clip ${detailPage.runs}`}>
      {ofRun > 0 ? null : (
        <p className="pad-3-4">
          {mixed`${<span className="strong">{why.title}.</span>} ${why.text} Events of other runs
            of ${objectName(run.object)} around that time are below.`}
        </p>
      )}
      <div className={`pad-2-4 ${page.toolbar}`}>
        <span className="push" />
        <ExportMenu of={{ list: "run-events", cluster, filter: { id: run.id } }} />
      </div>
      <DataTable
        label={t`Events of ${objectName(run.object)}`}
        columns={columns}
        rows={rows}
        total={undefined}
        rowKey={({ key }) => key}
        folds="always"
      />
      <p className="pad-2-4 small quiet line-above">
        {mixed`What Cloudwright sent about ${objectName(run.object)} from
          ${<ClockText at={found.from} />} to ${<ClockText at={found.to} />}. Kubernetes combines
          similar Events and removes them after about an hour. Those of other components are on the
          page of the object.`}
      </p>
    </div>
  );
}

interface NumberedEvent extends RunEvent {
  readonly key: string;
}

/** One run may send the same Event twice. */
function numbered(events: readonly RunEvent[]): readonly NumberedEvent[] {
  return events.map((event, index) => ({ ...event, key: `${event.runId} ${index}` }));
}

function eventColumns(cluster: string, runId: string): readonly Column<NumberedEvent>[] {
  return [
    timeColumn(["time", t`Time`, 116, { narrow: "second" }], ({ at }) => at),
    column(["type", t`Type`, 110, { narrow: "first" }], ({ type }) => (
      <RowStatus status={EVENT_TYPE_PRESENTATION[type]} />
    )),
    column(["run", t`Run`, 110, { narrow: "line" }], (event) =>
      event.runId === runId ? (
        <span className="strong">{t`This run`}</span>
      ) : (
        <Link href={addresses.run(cluster, event.runId)} prefetch={false}>
          {t`Another run`}
        </Link>
      ),
    ),
    column(["reason", t`Event`, 200, { narrow: "line", pinned: true }], ({ reason }) => (
      <span className="strong" title={reason}>
        {reason}
      </span>
    )),
    column(["message", t`Message`, 320, { grows: true, folds: true, narrow: "line" }], (event) => (
      <LogMessage text={event.message} />
    )),
    textColumn(["object", t`Object`, 150], ({ target }) => `${target.kind} ${objectName(target)}`),
    textColumn(["by", t`By`, 140], ({ controller }) => controllerOf(controller).label),
  ];
}

/** Says why the run itself has no Event. */
function whyNone(
  { outcome, dryRun }: RunRow,
  { isRecorded }: RunEvents,
): { readonly title: string; readonly text: string } {
  if (outcome === "running") {
    return { title: t`This run has not ended yet`, text: t`Its Events are recorded at its end.` };
  }
  if (dryRun) return { title: t`A dry run sends no Events`, text: t`It changes nothing.` };
  if (!isRecorded) {
    return {
      title: t`The Events of this run were not recorded`,
      text:
        outcome === "interrupted"
          ? t`It was cut short before its end was recorded.`
          : t`The controller ran a release that kept none.`,
    };
  }
  return {
    title: t`This run sent no Event`,
    text: t`An Event is sent for what was done, and for a failure that is new or has lasted for five minutes more.`,
  };
}
