"use client";
import { ColumnsMenu } from "../../components/menu/columns-menu.tsx";
import page from "../../components/page/page.module.css";
import type { Column } from "../../components/table/column.ts";
import { ViewsMenu } from "../views/views-menu.tsx";
import type { ExportedView } from "./export-address.ts";
import { ExportMenu } from "./export-menu.tsx";

/**
 * What every list can be done with: its columns chosen, kept as a view, and put into a file. They stay together at the far end,
 * also where the toolbar has more than one line.
 */
export function ListMenus<Row>({
  table,
  columns,
  exported,
  hasColumns = true,
}: {
  /** Its name on the server, under which also the columns that a user hides are kept. */
  readonly table: string;
  readonly columns: readonly Column<Row>[];
  /** What its query was asked for. */
  readonly exported: Omit<ExportedView, "list">;
  /** Whether it is laid out in columns now. */
  readonly hasColumns?: boolean;
}) {
  return (
    <span className="inline-flex gap-2 push">
      {hasColumns ? (
        <span className={page.wideOnly}>
          <ColumnsMenu table={table} columns={columns} />
        </span>
      ) : null}
      <ViewsMenu of={{ table, columns }} />
      <ExportMenu of={{ list: table, ...exported }} />
    </span>
  );
}
