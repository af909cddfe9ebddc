"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Button, Caret } from "../button/button.tsx";
import type { Column } from "../table/column.ts";
import { LazyMenu } from "./lazy-menu.tsx";

const load = () => import("./column-items.tsx").then(({ ColumnItems }) => ColumnItems);

/** Its button counts nothing: that columns are shown is the normal state. */
export function ColumnsMenu<Row>({
  table,
  columns,
}: {
  readonly table: string;
  readonly columns: readonly Column<Row>[];
}) {
  const button = (
    <Button>
      {t`Columns`}
      <Caret />
    </Button>
  );
  return <LazyMenu button={button} load={load} menu={{ table, columns }} />;
}
