"use client";
import { useMemo } from "react";
import { changePreferences, usePreferences } from "../preferences.ts";
import type { Column } from "./column.ts";

/** A narrower column is unreadable; a wider one pushes all others out of sight. Pixels. */
export const WIDTH_LIMITS = { least: 56, most: 900 } as const;

/** Returns the columns with the widths stored in this browser; a column that the user has resized no longer grows. */
export function useColumnWidths<Row, Sort extends string>(
  table: string,
  columns: readonly Column<Row, Sort>[],
): readonly Column<Row, Sort>[] {
  const widths = usePreferences().columnWidths[table];
  return useMemo(() => {
    if (widths === undefined) return columns;
    return columns.map((column) => {
      const width = widths[column.id];
      return width === undefined ? column : { ...column, width, grows: false };
    });
  }, [columns, widths]);
}

/** Stores a width in pixels, clamped to the limits. */
export function setColumnWidth(table: string, column: string, width: number): void {
  const held = Math.round(Math.min(Math.max(width, WIDTH_LIMITS.least), WIDTH_LIMITS.most));
  changePreferences(({ columnWidths }) => ({
    columnWidths: { ...columnWidths, [table]: { ...columnWidths[table], [column]: held } },
  }));
}
