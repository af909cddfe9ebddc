import type { Filters } from "./conditions.ts";
import type { List } from "./list.ts";

/** The source for counting a list's rows: the rows themselves, or another table with their numbers. */
export interface Countable<Filter extends object> {
  readonly table: string;
  /** The column with the time. */
  readonly column: string;
  /** The column with the cluster, or the chain. */
  readonly scope: List<unknown, Filter, string>["scope"];
  /** The SQL for the number of rows in a group. */
  readonly count: string;
  /** A condition on all counted rows. */
  readonly only?: string;
  readonly filters: Filters<Filter>;
}

/** A part of the time span, milliseconds since the epoch, with an exclusive end, and the source for counting it. */
export interface CountedStretch<Filter extends object> {
  readonly rows: Countable<Filter>;
  readonly from: number;
  readonly to: number;
}
