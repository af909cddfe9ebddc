"use client";
import { ColumnsMenu } from "../../components/menu/columns-menu.tsx";
import page from "../../components/page/page.module.css";
import type { Column } from "../../components/table/column.ts";
import { ViewsMenu } from "../views/views-menu.tsx";
import type { ExportedView } from "./export-address.ts";
import { ExportMenu } from "./export-menu.tsx";

/** The menus of every list: choose columns, save as a view, export. They stay together at the far end, even if the toolbar wraps. */
export function ListMenus<Row>({
  table,
  columns,
  exported,
  hasColumns = true,
}: {
  /** The list's name on the server, which also keys the user's hidden columns. */
  readonly table: string;
  readonly columns: readonly Column<Row>[];
  /** The parameters of its query. */
  readonly exported: Omit<ExportedView, "list">;
  /** Whether it is shown in columns now. */
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
