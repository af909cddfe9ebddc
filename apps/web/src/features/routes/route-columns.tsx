"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { RouteRow, RouteSort, RouteTableView } from "@cloudwright/store/views/routes";
import { Nothing } from "../../components/nothing.tsx";
import { RowIcon } from "../../components/status/row-status.tsx";
import type { Column } from "../../components/table/column.ts";
import { column } from "../../components/table/columns.tsx";
import {
  driftColumn,
  lastRunColumn,
  leadingColumns,
} from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { cellKey, tableName } from "../../platform/objects/route-cells.ts";
import { VERDICT_PRESENTATION } from "../../platform/objects/route-verdicts.ts";
import styles from "./routes.module.css";

type RouteColumn = Column<RouteRow, RouteSort>;

/** The columns of the list (UX brief, section 7). */
export function routeColumns(
  cluster: string,
  tables: readonly RouteTableView[] | undefined,
): readonly RouteColumn[] {
  return [
    ...leadingColumns<RouteRow>({
      ...{ id: "node", header: t`Node`, width: 170 },
      href: ({ name }) => addresses.node(cluster, name, "routes"),
    }),
    ...cloudColumns(tables),
    driftColumn(),
    lastRunColumn(cluster),
  ];
}

function cloudColumns(tables: readonly RouteTableView[] | undefined): readonly RouteColumn[] {
  return [
    column(
      [
        "ranges",
        t`Pod ranges`,
        240,
        { folds: true, value: ({ cells }) => cells.map(cellKey).join() },
      ],
      ({ cells }) => (cells.length === 0 ? <Nothing /> : cells.map(rangeText)),
    ),
    column(
      [
        "hop",
        t`Next hop`,
        190,
        { value: ({ cells: [first] }) => first?.route?.nextHop ?? first?.wantedNextHop },
      ],
      ({ cells: [first] }) =>
        first === undefined ? (
          <Nothing />
        ) : (
          <code title={first.wantedNextHop}>{first.route?.nextHop ?? first.wantedNextHop}</code>
        ),
    ),
    column(["table", t`Table`, 120, { sort: "table", value: ({ table }) => table }], ({ table }) =>
      table === undefined ? <Nothing /> : tableName(tables, table),
    ),
  ];
}

function rangeText(cell: RouteRow["cells"][number]) {
  const { cidr, verdict } = cell;
  const status = VERDICT_PRESENTATION[verdict];
  return (
    <span key={cellKey(cell)} className={styles.range} title={status.help}>
      <RowIcon status={status} size={13} />
      <code>{cidr}</code>
      <span className={verdict === "keep" ? "visually-hidden" : "small medium second"}>
        {status.label}
      </span>
    </span>
  );
}
