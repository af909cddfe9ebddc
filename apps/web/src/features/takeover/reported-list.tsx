"use client";
import type { ProvenRoutes, TakeoverView } from "@cloudwright/store/views/takeover";
import { useMemo } from "react";
import { EmptyState } from "../../components/page/panel-states.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn, timeColumn } from "../../components/table/columns.tsx";
import { uidOf } from "../../platform/lists/list-view.ts";
import { matches, routesText } from "./takeover-messages.ts";
import {
  FoundList,
  objectColumn,
  runColumn,
  type TakeoverListProps,
  useFound,
} from "./takeover-parts.tsx";

type ReportedRow = ProvenRoutes & { readonly kind: "Node" };

/** Nodes with routes that `--adopt=report` leaves as they are. */
export function ReportedList(props: TakeoverListProps) {
  const { cluster } = props;
  const rows = useFound(props, reportedRows);
  const columns = useMemo(() => reportedColumns(cluster), [cluster]);
  return (
    <FoundList
      {...props}
      label="Only reported"
      about="Routes that --adopt=report leaves as they are. Load balancers that it leaves wait for consent."
      columns={columns}
      rows={rows}
      rowKey={uidOf}
      none={
        <EmptyState title="Nothing is only reported">
          A route without an owner is listed here when two proofs show whose it is and the
          controller runs with <code>--adopt=report</code>. Without that flag such a route is
          adopted.
        </EmptyState>
      }
    />
  );
}

function reportedRows({ reported }: TakeoverView, text: string): readonly ReportedRow[] {
  return reported
    .filter(({ name, routes }) => matches(text, name, ...routes.map(({ id }) => id)))
    .map((row) => ({ ...row, kind: "Node" }));
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
