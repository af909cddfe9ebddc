import type { ReactNode } from "react";
import styles from "./figures-table.module.css";

export interface FigureColumn<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Text is aligned to the start of its column, figures to the end. */
  readonly isText?: boolean;
}

/** A small table of figures whose first column names the row; on a narrow screen, each row is a card. */
export function FiguresTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  empty,
}: {
  readonly label: string;
  readonly columns: readonly FigureColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Shown instead of a table that has no rows. */
  readonly empty: string;
}) {
  if (rows.length === 0) return <p className="quiet small">{empty}</p>;
  const [first, ...others] = columns;
  if (first === undefined) return null;
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          {columns.map(({ header, isText }) => (
            <th key={header} scope="col" data-text={isText}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            <th scope="row">{first.cell(row)}</th>
            {others.map(({ header, cell, isText }) => (
              <td key={header} data-header={header} data-text={isText}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
