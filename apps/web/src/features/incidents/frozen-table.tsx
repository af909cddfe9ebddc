import type { ReactNode } from "react";
import table from "../../components/table/plain-table.module.css";
import styles from "./incidents.module.css";

export interface FrozenRow {
  readonly key: string;
  /** One per column; the first names the row. */
  readonly cells: readonly ReactNode[];
}

/** A part of an incident as a table for reading and printing; on a narrow screen, each row is a card. */
export function FrozenTable({
  title,
  columns,
  rows,
  note,
}: {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly FrozenRow[];
  /** A note below it. */
  readonly note?: string | undefined;
}) {
  if (rows.length === 0) return null;
  const [, ...others] = columns;
  return (
    <FrozenPart title={title}>
      <table className={`${table.cards} ${styles.table}`}>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [name, ...cells] }) => (
            <tr key={key}>
              <th scope="row" className="break">
                {name}
              </th>
              {others.map((column, index) => (
                <td key={column} data-header={column} className="break">
                  <span>{cells[index]}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {note === undefined ? null : <p className="quiet small pad-2-4 flush">{note}</p>}
    </FrozenPart>
  );
}

/** One part with its heading. */
export function FrozenPart({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles.part} aria-label={title}>
      <h2 className="card-title">{title}</h2>
      {children}
    </section>
  );
}
