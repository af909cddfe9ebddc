"use client";
import { memo, type ReactNode } from "react";
import type { Column } from "../column.ts";
import styles from "../data-table.module.css";

interface TableRowProps<Row, Sort extends string> {
  readonly row: Row;
  readonly columns: readonly Column<Row, Sort>[];
  readonly index: number;
  readonly height: number;
  readonly tone: string | undefined;
  /** Spans all columns instead of the cells. */
  readonly head: ReactNode | undefined;
  /** The id by which the row is opened beside the list, if it can be. */
  readonly peekId: string | undefined;
  readonly isPeeked: boolean;
  /** Ids of the columns whose values have just changed, separated by spaces. */
  readonly changed: string | undefined;
  /** Whether all its cells are drawn, not only the pinned one. */
  readonly isWhole: boolean;
}

/** Rows that stay in sight while the list scrolls are not rendered again. */
export const TableRow = memo(PlainRow) as typeof PlainRow;

function PlainRow<Row, Sort extends string>({
  row,
  columns,
  index,
  height,
  tone,
  head,
  peekId,
  isPeeked,
  changed,
  isWhole,
}: TableRowProps<Row, Sort>) {
  if (head !== undefined) {
    return (
      <tr className={styles.block} data-index={index} aria-rowindex={index + 2} style={{ height }}>
        <th scope="rowgroup" colSpan={columns.length}>
          {head}
        </th>
      </tr>
    );
  }
  const marked = changed?.split(" ") ?? [];
  const cell = (column: Column<Row, Sort>) => cellOf(row, column, marked);
  return (
    <tr
      className={styles.row}
      data-index={index}
      data-tone={tone}
      data-peek={peekId}
      aria-current={isPeeked ? "true" : undefined}
      aria-rowindex={index + 2}
      style={{ height }}
    >
      {isWhole ? columns.map(cell) : pinnedAlone(columns, cell)}
    </tr>
  );
}

const CELL = `pad-0-3 clip ellipsis nowrap on-surface line-below ${styles.cell}`;

function cellOf<Row, Sort extends string>(
  row: Row,
  column: Column<Row, Sort>,
  marked: readonly string[],
) {
  const shown = column.cell(row);
  return (
    <td
      key={column.id}
      className={CELL}
      data-align={column.align}
      data-pinned={column.pinned}
      data-narrow={column.narrow ?? "none"}
      data-just-changed={marked.includes(column.id)}
    >
      {column.folds === true && shown !== null ? <div className={styles.fold}>{shown}</div> : shown}
    </td>
  );
}

/** The pinned cell keeps its place and key among the others, so that a focused link stays the same element when they arrive. */
function pinnedAlone<Row, Sort extends string>(
  columns: readonly Column<Row, Sort>[],
  cell: (column: Column<Row, Sort>) => ReactNode,
): readonly ReactNode[] {
  const at = columns.findIndex(({ pinned }) => pinned === true);
  return [
    gap("before", at),
    columns.slice(at, at + 1).map(cell),
    gap("after", columns.length - at - 1),
  ].flat();
}

function gap(place: "before" | "after", columns: number): readonly ReactNode[] {
  return columns > 0
    ? [<td key={place} className={`${CELL} ${styles.gap}`} colSpan={columns} />]
    : [];
}
