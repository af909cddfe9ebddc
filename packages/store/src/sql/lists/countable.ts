import type { Filters } from "./conditions.ts";
import type { List } from "./list.ts";

/** Where a list's rows are counted: in the rows themselves, or in numbers of them that another table keeps. */
export interface Countable<Filter extends object> {
  readonly table: string;
  /** Has the time. */
  readonly column: string;
  /** Has the cluster, or the chain. */
  readonly scope: List<unknown, Filter, string>["scope"];
  /** How many rows a group of these is. */
  readonly count: string;
  /** What holds of each that is counted. */
  readonly only?: string;
  readonly filters: Filters<Filter>;
}

/** A part of the stretch, milliseconds since the epoch, its end not included, and where it is counted. */
export interface CountedStretch<Filter extends object> {
  readonly rows: Countable<Filter>;
  readonly from: number;
  readonly to: number;
}
