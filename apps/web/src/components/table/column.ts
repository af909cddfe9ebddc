import type { ReactNode } from "react";
import type { ShownValue } from "../just-changed/just-changed.tsx";

/** A column as data: what it shows, what it is sorted by, and where it goes when the table becomes cards. */
export interface Column<Row, Sort extends string = string> {
  readonly id: string;
  readonly header: string;
  /** Stands in the head instead of the header's text. */
  readonly head?: ReactNode;
  /** Pixels; the table scrolls sideways when they do not fit. */
  readonly width: number;
  /** Takes what is left over. */
  readonly grows?: boolean;
  readonly sort?: Sort;
  readonly align?: "end";
  readonly cell: (row: Row) => ReactNode;
  /** The page of the row, where the cell is the link to it: whoever goes there can go on to those of the rows beside it. */
  readonly pageOf?: (row: Row) => string | undefined;
  /** What is compared: where it becomes another, the cell is marked for a while. None where a change is no news, such as a time. */
  readonly value?: (row: Row) => ShownValue;
  /** Its place in a card on a narrow screen; without one it is left out there. */
  readonly narrow?: "first" | "second" | "line" | "corner";
  /** Stays while the table scrolls sideways and cannot be hidden. */
  readonly pinned?: boolean;
  /** Takes a second line where rows have room for one. */
  readonly folds?: boolean;
}

export interface SortState<Sort extends string> {
  readonly by: Sort;
  readonly descending: boolean;
}
