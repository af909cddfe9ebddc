"use client";
import type { ProvenRoutes } from "@cloudwright/store/views/takeover";
import { useMemo } from "react";
import { EmptyState } from "../../components/page/panel-states.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn, timeColumn } from "../../components/table/columns.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import { uidOf } from "../../platform/lists/list-view.ts";
import { matches, routesText } from "./takeover-messages.ts";
import { NoMatches, objectColumn, runColumn, type TakeoverListProps } from "./takeover-parts.tsx";

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
    textColumn(["resource", "Cloud resource", 300, { narrow: "line", folds: true }], ({ routes }) =>
      routesText(routes),
    ),
    column(
      ["why", "Why", 320, { grows: true, folds: true }],
      () => "Two proofs show that it is the node's, and --adopt=report leaves it as it is.",
    ),
    timeColumn(["seen", "Last seen", 120, { align: "end", narrow: "second" }], ({ asOf }) => asOf),
    runColumn(cluster),
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
