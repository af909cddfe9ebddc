import type { Column } from "../../components/table/column.ts";

/** The table of a list, whose columns a view stores as well. */
export interface TableOf {
  readonly table: string;
  readonly columns: readonly Pick<Column<never>, "id" | "pinned">[];
}
