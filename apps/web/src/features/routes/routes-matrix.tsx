"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { RouteCell } from "@cloudwright/core/model/records/route-record";
import type { RouteRow, RoutesPage, RouteTableView } from "@cloudwright/store/views/routes";
import { useCallback, useMemo } from "react";
import { mixed } from "../../components/language/mixed-text.ts";
import { RowIcon } from "../../components/status/row-status.tsx";
import type { Column } from "../../components/table/column.ts";
import { column } from "../../components/table/columns.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import { RecordLink, stateColumn, whyColumn } from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import type { LayoutProps } from "../../platform/lists/record-list.tsx";
import { selectionColumn } from "../../platform/lists/selection-bar.tsx";
import { exactCount } from "../../platform/lists/use-loaded-rows.ts";
import { cellKey, tableName, useTables } from "../../platform/objects/route-cells.ts";
import { VERDICT_PRESENTATION } from "../../platform/objects/route-verdicts.ts";
import styles from "./routes.module.css";
import { roomText, usedText } from "./table-messages.ts";

/** A block for each route table, with a row for each node and a column for each family of pod ranges. */
export function RoutesMatrix(props: MatrixProps) {
  const { cluster, list, families, selection, peek } = props;
  const { toggle, toggleAll } = selection;
  const { rows } = list;
  const total = exactCount(list.total);
  const { data: tables } = useTables(cluster);
  const shown = useMemo(() => matrixRows(rows), [rows]);
  const columns = useMemo(
    () => matrixColumns({ cluster, rows, families, toggle, toggleAll, onPeek: peek.onPeek }),
    [cluster, rows, families, toggle, toggleAll, peek.onPeek],
  );
  const headOf = useCallback(
    (row: MatrixRow) =>
      row.kind === "table" ? <BlockHead id={row.table} tables={tables} /> : undefined,
    [tables],
  );
  return (
    <DataTable
      label={t`Routes`}
      columns={columns}
      rows={shown}
      total={total === undefined ? undefined : total + shown.length - rows.length}
      rowKey={(row) => (row.kind === "table" ? `table ${row.table}` : row.row.uid)}
      rowTone={(row) => (row.kind === "table" ? undefined : row.row.state)}
      headOf={headOf}
      folds="cards"
      onNearEnd={list.onNearEnd}
      stale={list.isOfBefore}
      reading={list.reading}
      beginning={list.beginning}
      onSpace={(row) => {
        if (row.kind === "node") toggle(row.row);
      }}
      peek={{
        ...peek,
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
  if (id === undefined) return <>{t`No route in any table yet`}</>;
  const table = tables?.find((known) => known.id === id);
  return (
    <>
      {tableName(tables, id)}
      {table === undefined ? null : (
        <span className={`light quiet ${styles.quiet}`}>
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
  families,
  toggle,
  toggleAll,
  onPeek,
}: Pick<MatrixProps, "cluster" | "families"> &
  Pick<MatrixProps["selection"], "toggle" | "toggleAll"> & {
    readonly rows: readonly RouteRow[];
    readonly onPeek: (id: string) => void;
  }): readonly Column<MatrixRow>[] {
  const pageOf = ({ name }: RouteRow) => addresses.node(cluster, name, "routes");
  return [
    ofNode(selectionColumn({ toggle, toggleAll }, rows)),
    ofNode(
      column(["node", t`Node`, 190, { pinned: true, pageOf }], (row) => (
        <RecordLink href={pageOf(row)} name={row.name} />
      )),
    ),
    ...familiesOf(rows, families).map((family) => ofNode(familyColumn(family, onPeek))),
    ofNode(stateColumn()),
    ofNode(whyColumn()),
  ];
}

function familyColumn(
  family: RouteCell["family"],
  onPeek: (id: string) => void,
): Column<RouteRow, never> {
  return {
    id: family,
    header: t`${family} pod range`,
    width: family === "IPv4" ? 230 : 260,
    value: (row) => cellsOf(row, family).map(cellKey).join(),
    cell: (row) => {
      const cells = cellsOf(row, family);
      if (cells.length === 0)
        return <span className={`light quiet ${styles.quiet}`}>{mixed`no ${family} range`}</span>;
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
    value: (row) => (row.kind === "node" ? column.value?.(row.row) : undefined),
    pageOf: (row) => (row.kind === "node" ? column.pageOf?.(row.row) : undefined),
    cell: (row) => (row.kind === "node" ? column.cell(row.row) : null),
  };
}

/** A cell of the matrix: symbol, range and word; it opens the route beside the list. */
function CellButton({
  cell: { cidr, verdict },
  node,
  onOpen,
}: {
  readonly cell: RouteCell;
  readonly node: string;
  readonly onOpen: () => void;
}) {
  const status = VERDICT_PRESENTATION[verdict];
  return (
    <button type="button" className={styles.cell} title={status.help} onClick={onOpen}>
      <RowIcon status={status} size={15} />
      <code>{cidr}</code>
      <span className={verdict === "keep" ? "visually-hidden" : "small medium second"}>
        {status.label}
      </span>
      <span className="visually-hidden">{mixed`, route of ${node}`}</span>
    </button>
  );
}

interface MatrixProps extends LayoutProps<RouteRow> {
  readonly cluster: string;
  /** The families of the cluster's pod ranges. */
  readonly families: RoutesPage["families"];
}

/** A row of the matrix: the header of a table's block, or a node in it. */
type MatrixRow =
  | { readonly kind: "table"; readonly table: string | undefined }
  | { readonly kind: "node"; readonly row: RouteRow };

/** Returns the nodes in the order of their tables, each block below its header. */
export function matrixRows(rows: readonly RouteRow[]): readonly MatrixRow[] {
  return rows.flatMap((row, index): readonly MatrixRow[] => {
    const node = { kind: "node", row } as const;
    const isFirst = index === 0 || rows[index - 1]?.table !== row.table;
    return isFirst ? [{ kind: "table", table: row.table }, node] : [node];
  });
}

export function cellsOf(row: RouteRow, family: RouteCell["family"]): readonly RouteCell[] {
  return row.cells.filter((cell) => cell.family === family);
}

/**
 * The families of the cluster's ranges plus any others that a node has, so that a column does not appear only when a later page has its
 * first node. If none is known, IPv4 has its column.
 */
export function familiesOf(
  rows: readonly RouteRow[],
  ofCluster: RoutesPage["families"],
): RoutesPage["families"] {
  const found = (["IPv4", "IPv6"] as const).filter(
    (family) => ofCluster.includes(family) || rows.some((row) => cellsOf(row, family).length > 0),
  );
  return found.length === 0 ? ["IPv4"] : found;
}
