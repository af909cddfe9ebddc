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
  /** Stands across all columns in the place of the cells. */
  readonly head: ReactNode | undefined;
  /** By what it is looked at beside the list, where that can be done. */
  readonly peekId: string | undefined;
  readonly isPeeked: boolean;
  /** Ids of the columns whose values have just changed, with spaces between them. */
  readonly changed: string | undefined;
}

/** Rows that stay in sight while the list scrolls are not drawn anew. */
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
      {columns.map((column) => (
        <td
          key={column.id}
          className={`pad-0-3 clip ellipsis nowrap on-surface line-below ${styles.cell}`}
          data-align={column.align}
          data-pinned={column.pinned}
          data-narrow={column.narrow ?? "none"}
          data-just-changed={marked.includes(column.id)}
        >
          {column.folds === true ? (
            <div className={styles.fold}>{column.cell(row)}</div>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}
