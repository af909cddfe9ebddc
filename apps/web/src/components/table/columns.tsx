import type { ReactNode } from "react";
import { Nothing } from "../nothing.tsx";
import { TimeText } from "../time/time-text.tsx";
import type { Column } from "./column.ts";

type Rest<Row, Sort extends string> = Omit<
  Column<Row, Sort>,
  "id" | "header" | "width" | "cell" | "sort"
> & { readonly sort?: NoInfer<Sort> };

/** Id, header and width of a column, and what else is to be said of it. */
type Head<Row, Sort extends string> = readonly [
  id: string,
  header: string,
  width: number,
  rest?: Rest<Row, Sort>,
];

/** A column with cells of its own. */
export function column<Row, Sort extends string = never>(
  [id, header, width, rest]: Head<Row, Sort>,
  cell: (row: Row) => ReactNode,
): Column<Row, Sort> {
  return { id, header, width, ...rest, cell };
}

interface TextOptions {
  readonly isCode?: boolean;
  /** Another text is news, for which the cell is marked for a while. */
  readonly isNews?: boolean;
}

/** A column of one text, which stands in the tooltip in full, as the cell may cut it; a dash where there is none. */
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

/** A column of a point in time; a dash where there was none. */
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
