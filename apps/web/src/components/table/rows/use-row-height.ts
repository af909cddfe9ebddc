"use client";
import { useMediaQuery } from "@mantine/hooks";
import { ROW_HEIGHTS, usePreferences } from "../../preferences.ts";
import type { Column } from "../column.ts";

/** With two lines below the first, as most cards have. */
const CARD_HEIGHT = 84;
const USUAL_LINES = 2;
const LINE_HEIGHT = 20;
const FOLDED_LINE_HEIGHT = 17;
/** How much higher a wrapped row is; compact rows keep a single line. */
const FOLD: Readonly<Record<keyof typeof ROW_HEIGHTS, number>> = {
  compact: 0,
  normal: 10,
  comfortable: 12,
};

/** Whether rows grow for a wrapping cell or only cards do; a row that does not grow shows its two lines in small print. */
export type Folds = "cards" | "always";

/** Returns the height of every row or card in pixels, and the lines of its wrapping cell; `small` means two lines in the room of one. */
export function useRowHeight(
  folds: Folds | undefined,
  columns: readonly Pick<Column<never>, "id" | "narrow">[],
  hidden: ReadonlySet<string>,
): {
  readonly height: number;
  readonly lines: 1 | 2 | "small";
} {
  const { density } = usePreferences();
  const isNarrow = useMediaQuery("(max-width: 44em)") ?? false;
  if (isNarrow) {
    const { length } = columns.filter(({ id, narrow }) => narrow === "line" && !hidden.has(id));
    const height = CARD_HEIGHT + LINE_HEIGHT * Math.max(0, length - USUAL_LINES);
    return folds === undefined
      ? { height, lines: 1 }
      : { height: height + FOLDED_LINE_HEIGHT, lines: 2 };
  }
  const height = ROW_HEIGHTS[density];
  if (folds === undefined || FOLD[density] === 0) return { height, lines: 1 };
  return folds === "always"
    ? { height: height + FOLD[density], lines: 2 }
    : { height, lines: "small" };
}
