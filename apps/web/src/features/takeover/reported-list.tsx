"use client";
import type { ProvenRoutes } from "@cloudwright/store/views/takeover";
import { useMemo } from "react";
import { Link } from "../../components/link.tsx";
import { Nothing } from "../../components/nothing.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import type { Column } from "../../components/table/column.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { uidOf } from "../../platform/lists/row-keys.ts";
import { NoMatches } from "./no-matches.tsx";
import { objectColumn } from "./object-column.tsx";
import type { TakeoverListProps } from "./takeover-list-props.ts";
import { matches, routesText } from "./takeover-words.ts";

type ReportedRow = ProvenRoutes & { readonly kind: "Node" };

/** Nodes with routes that `--adopt=report` leaves as they are. */
export function ReportedList({ cluster, takeover, text, onClear }: TakeoverListProps) {
  const { reported } = takeover;
  const rows = useMemo(
    () =>
      reported
        .filter(({ name, routes }) => matches(text, name, ...routes.map(({ id }) => id)))
        .map((row): ReportedRow => ({ ...row, kind: "Node" })),
    [reported, text],
  );
  const columns = useMemo(() => reportedColumns(cluster), [cluster]);
  if (reported.length === 0) return <NothingReported />;
  if (rows.length === 0) return <NoMatches onClear={onClear} />;
  return (
    <DataTable
      label="Only reported"
      columns={columns}
      rows={rows}
      total={rows.length}
      rowKey={uidOf}
      folds="always"
    />
  );
}

function reportedColumns(cluster: string): readonly Column<ReportedRow, never>[] {
  return [
    objectColumn(cluster),
    {
      id: "resource",
      header: "Cloud resource",
      width: 300,
      narrow: "line",
      folds: true,
      cell: ({ routes }) => <span title={routesText(routes)}>{routesText(routes)}</span>,
    },
    {
      id: "why",
      header: "Why",
      width: 320,
      grows: true,
      folds: true,
      cell: () => "Two proofs show that it is the node's, and --adopt=report leaves it as it is.",
    },
    {
      id: "seen",
      header: "Last seen",
      width: 120,
      align: "end",
      narrow: "second",
      cell: ({ asOf }) => (asOf === undefined ? <Nothing /> : <TimeText at={asOf} />),
    },
    {
      id: "run",
      header: "Run",
      width: 100,
      cell: ({ runId, name }) => (
        <Link href={addresses.run(cluster, runId)} prefetch={false}>
          Run<span className="visually-hidden"> of {name}</span>
        </Link>
      ),
    },
  ];
}

function NothingReported() {
  return (
    <EmptyState title="Nothing is only reported">
      A route without a mark is listed here when two proofs show whose it is and the controller runs
      with <code>--adopt=report</code>. Without that flag such a route is adopted.
    </EmptyState>
  );
}
