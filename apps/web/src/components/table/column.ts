import type { ReactNode } from "react";
import type { ShownValue } from "../just-changed/just-changed.tsx";

/** A column as data: what it shows, how it is sorted, and where it goes when the table becomes cards. */
export interface Column<Row, Sort extends string = string> {
  readonly id: string;
  readonly header: string;
  /** Shown in the header instead of its text. */
  readonly head?: ReactNode;
  /** Pixels; the table scrolls sideways if the columns do not fit. */
  readonly width: number;
  /** Takes the remaining width. */
  readonly grows?: boolean;
  readonly sort?: Sort;
  readonly align?: "end";
  readonly cell: (row: Row) => ReactNode;
  /** The page of the row, if the cell is the link to it; from there the user can continue to the pages of the neighbouring rows. */
  readonly pageOf?: (row: Row) => string | undefined;
  /** The value to compare: the cell is highlighted for a while when it changes. Absent where a change is not news, such as a time. */
  readonly value?: (row: Row) => ShownValue;
  /** The column's place in a card on a narrow screen; without one, cards leave it out. */
  readonly narrow?: "first" | "second" | "line" | "corner";
  /** Stays in place while the table scrolls sideways, and cannot be hidden. */
  readonly pinned?: boolean;
  /** Wraps onto a second line where rows have room for one. */
  readonly folds?: boolean;
}

export interface SortState<Sort extends string> {
  readonly by: Sort;
  readonly descending: boolean;
}
