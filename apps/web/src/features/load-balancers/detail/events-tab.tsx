"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t, worded } from "@cloudwright/core/model/language/text";
import { cause, type TimeLabels } from "@cloudwright/core/model/sentence";
import type { AuditRow, RunRow } from "@cloudwright/store/views/views";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../../components/api.ts";
import { withoutRequests } from "../../../components/evidence/request-parts.ts";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import detailPage from "../../../components/page/detail-page.module.css";
import page from "../../../components/page/page.module.css";
import { EmptyState, Pending } from "../../../components/page/panel-states.tsx";
import { keepUnits } from "../../../components/presentation/format-text.ts";
import { OUTCOME_PRESENTATION } from "../../../components/presentation/outcomes.ts";
import type { Presentation } from "../../../components/presentation/states.ts";
import { RowStatus } from "../../../components/status/row-status.tsx";
import type { Column } from "../../../components/table/column.ts";
import { column, textColumn, timeColumn } from "../../../components/table/columns.tsx";
import { DataTable } from "../../../components/table/data-table.tsx";
import { useTimeLabels } from "../../../components/time/time-text.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import {
  actionLabel,
  actorName,
  resultPresentation,
} from "../../../platform/wording/audit-messages.ts";
import { whyText } from "../../../platform/wording/why-text.tsx";
import styles from "./load-balancer-page.module.css";

/** Per source; the lists of runs and of the audit have the rest. */
const SHOWN = 100;

/** The load balancer's history: what was written, who requested what, and what failed. Kubernetes keeps its Events for a shorter time. */
export function EventsTab({
  service,
}: {
  /** `namespace/name`. */
  readonly service: string;
}) {
  const cluster = useClusterId();
  const { runs, entries } = useHistory(cluster, service);
  const time = useTimeLabels();
  const rows = useMemo(
    () => ledgerEvents(runs.data?.rows ?? [], entries.data?.rows ?? [], time),
    [runs.data, entries.data, time],
  );
  const columns = useMemo(() => eventColumns(cluster), [cluster]);
  const missing = [runs, entries].filter(({ data }) => data === undefined);
  const [pending] = missing.toSorted((one, other) => other.errorUpdatedAt - one.errorUpdatedAt);
  if (pending !== undefined) return <Pending isCard query={pending} />;
  if (rows.length === 0) {
    return (
      <EmptyState isCard title={t`There is no record of anything done or requested`}>
        {t`Writes, requests and failures are listed here.`}
      </EmptyState>
    );
  }
  return (
    <div className={`${page.card} flex column clip ${detailPage.runs}`}>
      <DataTable
        label={t`What was done to ${service}`}
        columns={columns}
        rows={rows}
        total={undefined}
        rowKey={({ id }) => id}
        folds="always"
      />
      <p className={`pad-2-4 small quiet line-above ${styles.ignored}`}>
        {mixed`The newest ${SHOWN} of each kind, as the ledger keeps them.
          ${<Link href={addresses.audit(cluster, `?q=${encodeURIComponent(`object:${service}`)}`)}>{t`All audit entries`}</Link>}`}
      </p>
    </div>
  );
}

function useHistory(cluster: string, service: string) {
  const api = useApi();
  const runs = useQuery(
    api.runs.list.queryOptions({
      cluster,
      filter: { key: service, kind: "Service", not: { outcomes: ["unchanged", "changed"] } },
      sort: { by: "started", descending: true },
      limit: SHOWN,
    }),
  );
  const entries = useQuery(
    api.audit.list.queryOptions({
      cluster,
      filter: { object: { kind: "Service", name: service } },
      sort: { by: "inserted", descending: true },
      limit: SHOWN,
    }),
  );
  return { runs, entries };
}

function eventColumns(cluster: string): readonly Column<LedgerEvent>[] {
  return [
    timeColumn(["time", t`Time`, 116, { narrow: "second" }], ({ at }) => at),
    column(["result", t`Result`, 122, { narrow: "first" }], ({ status }) => (
      <RowStatus status={status} />
    )),
    column(["what", t`Event`, 170, { narrow: "line", pinned: true }], ({ what, runId }) =>
      runId === undefined ? (
        <span className={`strong ${styles.node}`}>{what}</span>
      ) : (
        <Link
          className={`strong ${styles.node}`}
          href={addresses.run(cluster, runId)}
          prefetch={false}
        >
          {what}
        </Link>
      ),
    ),
    column(["why", t`Why`, 320, { grows: true, folds: true, narrow: "line" }], ({ why }) => (
      <span title={why}>{keepUnits(withoutRequests(why))}</span>
    )),
    textColumn(["by", t`By`, 140], ({ by }) => by),
  ];
}

/** An event of a Service's load balancer that the ledger keeps. */
interface LedgerEvent {
  readonly id: string;
  readonly at: number;
  readonly status: Presentation;
  /** `Change members`, or how a run ended. */
  readonly what: string;
  readonly why: string;
  readonly by: string;
  readonly runId: string | undefined;
}

/**
 * Returns what was written to it and requested for it, and the runs that did not end well, newest first. Runs that changed something are
 * titled by their changes.
 */
export function ledgerEvents(
  runs: readonly RunRow[],
  entries: readonly AuditRow[],
  time?: TimeLabels,
): readonly LedgerEvent[] {
  const ended = runs.filter(isInformative).map((run) => eventOfRun(run, time));
  return [...ended, ...entries.map(eventOfEntry)].toSorted((left, right) => right.at - left.at);
}

type Ended = Exclude<RunRow["outcome"], "changed" | "unchanged" | "running">;
type EndedRun = RunRow & { readonly outcome: Ended };

const ENDED: Readonly<Record<Ended, string>> = worded({
  failed: () => t`Run failed`,
  timedOut: () => t`Run timed out`,
  interrupted: () => t`Run interrupted`,
  blocked: () => t`Run blocked`,
  waiting: () => t`Run requeued`,
});

function isInformative(run: RunRow): run is EndedRun {
  const { outcome, dryRun } = run;
  return !dryRun && outcome !== "changed" && outcome !== "unchanged" && outcome !== "running";
}

function eventOfRun(run: EndedRun, time: TimeLabels | undefined): LedgerEvent {
  const { id, startedAt, durationMs = 0, outcome, reason, controller } = run;
  return {
    id,
    at: startedAt + durationMs,
    status: OUTCOME_PRESENTATION[outcome],
    what: ENDED[outcome],
    why: reason === undefined ? "" : t`${cause(reason, time)}.`,
    by: controllerOf(controller).label,
    runId: id,
  };
}

function eventOfEntry(entry: AuditRow): LedgerEvent {
  return {
    id: entry.id,
    at: entry.at,
    status: resultPresentation(entry.result),
    what: actionLabel(entry.action),
    why: whyText(entry),
    by: actorName(entry.actor),
    runId: entry.runId,
  };
}
