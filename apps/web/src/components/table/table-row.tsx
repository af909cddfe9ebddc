"use client";
import type { Column } from "./column.ts";
import styles from "./data-table.module.css";

export function TableRow<Row, Sort extends string>({
  row,
  columns,
  index,
  height,
  tone,
  peek,
}: {
  readonly row: Row;
  readonly columns: readonly Column<Row, Sort>[];
  readonly index: number;
  readonly height: number;
  readonly tone: string | undefined;
  readonly peek: { readonly id: string; readonly isCurrent: boolean } | undefined;
}) {
  return (
    <tr
      className={styles.row}
      data-index={index}
      data-tone={tone}
      data-peek={peek?.id}
      aria-current={peek?.isCurrent === true ? "true" : undefined}
      aria-rowindex={index + 2}
      style={{ height }}
    >
      {columns.map((column) => (
        <td
          key={column.id}
          className={styles.cell}
          data-align={column.align}
          data-pinned={column.pinned}
          data-narrow={column.narrow ?? "none"}
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
