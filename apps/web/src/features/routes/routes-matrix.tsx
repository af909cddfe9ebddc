"use client";
import type { RouteCell } from "@cloudwright/core/model/route-record";
import { cause } from "@cloudwright/core/model/sentence";
import type { RouteRow, RouteTableView } from "@cloudwright/store/route-views";
import Link from "next/link";
import { useCallback, useMemo } from "react";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { selectionColumn } from "../nodes/selection-column.tsx";
import { CellButton } from "./cell-button.tsx";
import { cellKey, cellsOf, familiesOf, type MatrixRow, matrixRows } from "./matrix-rows.ts";
import styles from "./routes.module.css";
import { peeked } from "./routes-url.ts";
import type { RowsProps } from "./rows-props.ts";
import { tableName } from "./table-names.ts";
import { roomText, usedText } from "./table-words.ts";
import { useTables } from "./use-routes.ts";

const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

/** A block for each route table, in it a row for each node and a column for each family of pod ranges. */
export function RoutesMatrix(props: RowsProps) {
  const { cluster, rows, selection, peek, total, isOld, onNearEnd } = props;
  const { data: tables } = useTables(cluster);
  const shown = useMemo(() => matrixRows(rows), [rows]);
  const columns = useMemo(
    () => matrixColumns({ cluster, rows, selection, onPeek: peek.onPeek }),
    [cluster, rows, selection, peek.onPeek],
  );
  const headOf = useCallback(
    (row: MatrixRow) =>
      row.kind === "table" ? <BlockHead id={row.table} tables={tables} /> : undefined,
    [tables],
  );
  return (
    <DataTable
      label="Routes"
      columns={columns}
      hidden={NOTHING_HIDDEN}
      rows={shown}
      total={total === undefined ? undefined : total + shown.length - rows.length}
      rowKey={(row) => (row.kind === "table" ? `table ${row.table}` : row.row.uid)}
      rowTone={(row) => (row.kind === "table" ? undefined : row.row.state)}
      headOf={headOf}
      onNearEnd={onNearEnd}
      stale={isOld}
      onSpace={(row) => {
        if (row.kind === "node" && row.row.state !== "gone") selection.toggle(row.row);
      }}
      peek={{
        ...peek,
        current: peeked(peek.current).node,
        idOf: (row) => (row.kind === "node" ? row.row.name : undefined),
      }}
    />
  );
}

/** `rtb-c: 50 of 50 routes, no more nodes fit`. */
function BlockHead({
  id,
  tables,
}: {
  readonly id: string | undefined;
  readonly tables: readonly RouteTableView[] | undefined;
}) {
  if (id === undefined) return <>No route in any table yet</>;
  const table = tables?.find((known) => known.id === id);
  return (
    <>
      {tableName(tables, id)}
      {table === undefined ? null : (
        <span className={styles.quiet}>
          {" "}
          {usedText(table)}, {roomText(table)}
        </span>
      )}
    </>
  );
}

function matrixColumns({
  cluster,
  rows,
  selection,
  onPeek,
}: Pick<RowsProps, "cluster" | "rows" | "selection"> & {
  readonly onPeek: (id: string) => void;
}): readonly Column<MatrixRow, never>[] {
  const selecting = selectionColumn(selection, rows);
  return [
    ofNode<never>(selecting),
    ofNode({
      id: "node",
      header: "Node",
      width: 190,
      pinned: true,
      cell: ({ name }) => (
        <Link
          className={styles.name}
          href={addresses.node(cluster, name, "routes")}
          prefetch={false}
        >
          {name}
        </Link>
      ),
    }),
    ...familiesOf(rows).map((family) => ofNode(familyColumn(family, onPeek))),
    ofNode({
      id: "state",
      header: "State",
      width: 116,
      cell: ({ state }) => <StatusChip status={STATE_PRESENTATION[state]} />,
    }),
    ofNode({
      id: "why",
      header: "Why",
      width: 240,
      grows: true,
      cell: ({ state, reason }) => {
        const text = cause(reason);
        return (
          <span className={state === "ok" ? styles.quiet : undefined} title={text}>
            {text}
          </span>
        );
      },
    }),
  ];
}

function familyColumn(
  family: RouteCell["family"],
  onPeek: (id: string) => void,
): Column<RouteRow, never> {
  return {
    id: family,
    header: `${family} pod range`,
    width: family === "IPv4" ? 230 : 260,
    cell: (row) => {
      const cells = cellsOf(row, family);
      if (cells.length === 0) return <span className={styles.quiet}>no {family} range</span>;
      return cells.map((cell) => (
        <CellButton
          key={cellKey(cell)}
          cell={cell}
          node={row.name}
          onOpen={() => onPeek(`${row.name}/${cell.cidr}`)}
        />
      ));
    },
  };
}

function ofNode<Sort extends string>(column: Column<RouteRow, Sort>): Column<MatrixRow, Sort> {
  return {
    ...column,
    cell: (row) => (row.kind === "node" ? column.cell(row.row) : null),
  };
}
