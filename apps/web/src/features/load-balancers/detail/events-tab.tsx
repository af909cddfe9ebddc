"use client";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../../components/api.ts";
import { withoutRequests } from "../../../components/evidence/request-parts.ts";
import { Link } from "../../../components/link.tsx";
import detailPage from "../../../components/page/detail-page.module.css";
import page from "../../../components/page/page.module.css";
import { EmptyState, Pending } from "../../../components/page/panel-states.tsx";
import { keepUnits } from "../../../components/presentation/format-text.ts";
import { StatusChip } from "../../../components/status/status-chip.tsx";
import type { Column } from "../../../components/table/column.ts";
import { column, textColumn, timeColumn } from "../../../components/table/columns.tsx";
import { DataTable } from "../../../components/table/data-table.tsx";
import { useTimeLabels } from "../../../components/time/time-text.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { type LedgerEvent, ledgerEvents } from "./events.ts";
import styles from "./load-balancer-page.module.css";

/** Of each source; beyond, the lists of runs and of the audit go on. */
const SHOWN = 100;

/** What happened to it: what was written, who asked for what, and what failed. Kubernetes forgets sooner than this. */
export function EventsTab({
  cluster,
  service,
}: {
  readonly cluster: string;
  /** `namespace/name`. */
  readonly service: string;
}) {
  const { runs, entries } = useHistory(cluster, service);
  const time = useTimeLabels();
  const rows = useMemo(
    () => ledgerEvents(runs.data?.rows ?? [], entries.data?.rows ?? [], time),
    [runs.data, entries.data, time],
  );
  const columns = useMemo(() => eventColumns(cluster), [cluster]);
  const missing = [runs, entries].filter(({ data }) => data === undefined);
  const [pending] = missing.toSorted((one, other) => Number(other.isError) - Number(one.isError));
  if (pending !== undefined) return <Pending isCard query={pending} />;
  if (rows.length === 0) {
    return (
      <EmptyState isCard title="No events are kept for it">
        Writes, requests and failures are listed here.
      </EmptyState>
    );
  }
  return (
    <div className={`${page.card} ${detailPage.runs}`}>
      <DataTable
        label={`Events of ${service}`}
        columns={columns}
        rows={rows}
        total={undefined}
        rowKey={({ id }) => id}
        folds="always"
      />
      <p className={styles.ignored}>
        The newest {SHOWN} of each kind, as the ledger keeps them.{" "}
        <Link href={addresses.audit(cluster, `?q=${encodeURIComponent(`object:${service}`)}`)}>
          All audit entries
        </Link>
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
    timeColumn(["time", "Time", 116, { narrow: "second" }], ({ at }) => at),
    column(["result", "Result", 122, { narrow: "first" }], ({ status }) => (
      <StatusChip status={status} />
    )),
    column(["what", "Event", 170, { narrow: "line", pinned: true }], ({ what, runId }) =>
      runId === undefined ? (
        <span className={styles.node}>{what}</span>
      ) : (
        <Link className={styles.node} href={addresses.run(cluster, runId)} prefetch={false}>
          {what}
        </Link>
      ),
    ),
    column(["why", "Why", 320, { grows: true, folds: true, narrow: "line" }], ({ why }) => (
      <span title={why}>{keepUnits(withoutRequests(why))}</span>
    )),
    textColumn(["by", "By", 140], ({ by }) => by),
  ];
}
