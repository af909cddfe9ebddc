"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useMemo } from "react";
import { changePreferences, usePreferences } from "../preferences.ts";
import type { Column } from "../table/column.ts";
import { ChoiceMenu } from "./choice-menu.tsx";

/** Columns whose values everyone can filter by are hidden at first, to leave more room for the reason. */
const HIDDEN_AT_FIRST: Readonly<Record<string, readonly string[]>> = {
  nodes: ["type", "address", "provider"],
  routes: ["hop", "table"],
  volumes: ["claim"],
};

/** The columns that the user hides in a table. */
export function useHiddenColumns(table: string): ReadonlySet<string> {
  const { hiddenColumns } = usePreferences();
  return useMemo(
    () => new Set(hiddenColumns[table] ?? HIDDEN_AT_FIRST[table] ?? []),
    [hiddenColumns, table],
  );
}

export function ColumnsMenu<Row>({
  table,
  columns,
}: {
  readonly table: string;
  readonly columns: readonly Column<Row>[];
}) {
  const hidden = useHiddenColumns(table);
  const choices = columns
    .filter(({ pinned }) => pinned !== true)
    .map(({ id, header }) => ({ id, label: header }));
  const shown = new Set(choices.map(({ id }) => id).filter((id) => !hidden.has(id)));
  const toggle = (id: string) => {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    changePreferences(({ hiddenColumns }) => ({
      hiddenColumns: { ...hiddenColumns, [table]: [...next] },
    }));
  };
  return (
    <ChoiceMenu label={t`Columns`} choices={choices} chosen={shown} isQuiet onToggle={toggle} />
  );
}
