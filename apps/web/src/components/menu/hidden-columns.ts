"use client";
import { useMemo } from "react";
import { usePreferences } from "../preferences.ts";

/** Columns whose values everyone can filter by are hidden at first, to leave more room for the reason. */
const HIDDEN_AT_FIRST: Readonly<Record<string, readonly string[]>> = {
  nodes: ["type", "address", "provider"],
  routes: ["hop", "table"],
  volumes: ["claim"],
};

export function hiddenAtFirst(table: string): readonly string[] {
  return HIDDEN_AT_FIRST[table] ?? [];
}

/** The columns that the user hides in a table. */
export function useHiddenColumns(table: string): ReadonlySet<string> {
  const { hiddenColumns } = usePreferences();
  return useMemo(
    () => new Set(hiddenColumns[table] ?? hiddenAtFirst(table)),
    [hiddenColumns, table],
  );
}
