"use client";
import { useMediaQuery } from "@mantine/hooks";
import { ROW_HEIGHTS, usePreferences } from "../preferences.ts";

const CARD_HEIGHT = 84;
const LINE_HEIGHT = 17;
/** A folded row is this much higher; compact rows stay single. */
const FOLD: Readonly<Record<keyof typeof ROW_HEIGHTS, number>> = {
  compact: 0,
  normal: 10,
  comfortable: 12,
};

/** Whether rows grow for a cell that folds, or only cards do; a row that does not grow has its two lines in small. */
export type Folds = "cards" | "always";

/** Pixels of every row or card, and how its folding cell is shown: in how many lines, `small` being two in the room of one. */
export function useRowHeight(folds: Folds | undefined): {
  readonly height: number;
  readonly lines: 1 | 2 | "small";
} {
  const { density } = usePreferences();
  const isNarrow = useMediaQuery("(max-width: 44em)") ?? false;
  if (isNarrow) {
    return folds === undefined
      ? { height: CARD_HEIGHT, lines: 1 }
      : { height: CARD_HEIGHT + LINE_HEIGHT, lines: 2 };
  }
  const height = ROW_HEIGHTS[density];
  if (folds === undefined || FOLD[density] === 0) return { height, lines: 1 };
  return folds === "always"
    ? { height: height + FOLD[density], lines: 2 }
    : { height, lines: "small" };
}
