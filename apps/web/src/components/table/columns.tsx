import type { ReactNode } from "react";
import { Nothing } from "../nothing.tsx";
import { TimeText } from "../time/time-text.tsx";
import type { Column } from "./column.ts";

type Rest<Row, Sort extends string> = Omit<
  Column<Row, Sort>,
  "id" | "header" | "width" | "cell" | "sort"
> & { readonly sort?: NoInfer<Sort> };

/** Id, header and width of a column, and its other options. */
type Head<Row, Sort extends string> = readonly [
  id: string,
  header: string,
  width: number,
  rest?: Rest<Row, Sort>,
];

/** Makes a column with custom cells. */
export function column<Row, Sort extends string = never>(
  [id, header, width, rest]: Head<Row, Sort>,
  cell: (row: Row) => ReactNode,
): Column<Row, Sort> {
  return { id, header, width, ...rest, cell };
}

interface TextOptions {
  readonly isCode?: boolean;
  /** A changed text is news: the cell is highlighted for a while. */
  readonly isNews?: boolean;
}

/** Makes a column of plain text. The tooltip has the full text, as the cell may cut it off; without a text it shows a dash. */
export function textColumn<Row, Sort extends string = never>(
  [id, header, width, rest]: Head<Row, Sort>,
  text: (row: Row) => string | undefined,
  { isCode = false, isNews = false }: TextOptions = {},
): Column<Row, Sort> {
  const Tag = isCode ? "code" : "span";
  const cell = (row: Row) => {
    const shown = text(row);
    if (shown === undefined || shown === "") return <Nothing />;
    return <Tag title={shown}>{shown}</Tag>;
  };
  return { id, header, width, ...rest, ...(isNews ? { value: text } : {}), cell };
}

/** Makes a column of points in time; without one it shows a dash. */
export function timeColumn<Row, Sort extends string = never>(
  [id, header, width, rest]: Head<Row, Sort>,
  at: (row: Row) => number | undefined,
): Column<Row, Sort> {
  const cell = (row: Row) => {
    const time = at(row);
    return time === undefined ? <Nothing /> : <TimeText at={time} />;
  };
  return { id, header, width, ...rest, cell };
}
