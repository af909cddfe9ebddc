"use client";
import type { Column, SortState } from "./column.ts";
import { ColumnGrip } from "./column-grip.tsx";
import styles from "./data-table.module.css";

export function TableHead<Row, Sort extends string>({
  table,
  columns,
  sort,
  onSort,
}: {
  /** The name under which the column widths set by the user are stored. */
  readonly table: string;
  readonly columns: readonly Column<Row, Sort>[];
  readonly sort: SortState<Sort> | undefined;
  readonly onSort: ((by: Sort) => void) | undefined;
}) {
  return (
    <>
      <colgroup>
        {columns.map(({ id, width, grows }) => (
          <col key={id} style={grows === true ? {} : { width }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.id}
              scope="col"
              className={`pad-0-3 nowrap start small medium quiet on-surface strong-line-below ${styles.head}`}
              data-align={column.align}
              data-pinned={column.pinned}
              aria-sort={onSort === undefined ? undefined : ariaSort(column, sort)}
            >
              {column.sort === undefined || onSort === undefined ? (
                (column.head ?? column.header)
              ) : (
                <SortButton column={column} by={column.sort} sort={sort} onSort={onSort} />
              )}
              {column.head === undefined ? (
                <ColumnGrip
                  table={table}
                  column={column.id}
                  header={column.header}
                  width={column.width}
                />
              ) : null}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

function SortButton<Row, Sort extends string>({
  column,
  by,
  sort,
  onSort,
}: {
  readonly column: Column<Row, Sort>;
  readonly by: Sort;
  readonly sort: SortState<Sort> | undefined;
  readonly onSort: (by: Sort) => void;
}) {
  const active = sort?.by === by;
  return (
    <button
      type="button"
      className={`inline-flex centred see-through frameless pointer ${styles.sort}`}
      data-active={active}
      onClick={() => onSort(by)}
    >
      {column.header}
      <svg width="8" height="10" viewBox="0 0 8 10" aria-hidden="true">
        <path
          d={active && sort.descending ? "M4 9.5 7.5 5h-7Z" : "M4 .5.5 5h7Z"}
          fill="currentColor"
          opacity={active ? 1 : 0.35}
        />
        {active ? null : <path d="M4 9.5 7.5 6h-7Z" fill="currentColor" opacity="0.35" />}
      </svg>
    </button>
  );
}

function ariaSort<Row, Sort extends string>(
  column: Column<Row, Sort>,
  sort: SortState<Sort> | undefined,
): "ascending" | "descending" | "none" | undefined {
  if (column.sort === undefined) return undefined;
  if (sort?.by !== column.sort) return "none";
  return sort.descending ? "descending" : "ascending";
}
