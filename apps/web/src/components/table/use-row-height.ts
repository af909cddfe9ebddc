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

/** Whether a cell that folds may take two lines: in cards only, or in rows as well. */
export type Folds = "cards" | "always";

/** Pixels of every row or card, and in how many lines its folding cell is shown. */
export function useRowHeight(folds: Folds | undefined): {
  readonly height: number;
  readonly lines: 1 | 2;
} {
  const { density } = usePreferences();
  const isNarrow = useMediaQuery("(max-width: 44em)") ?? false;
  if (isNarrow) {
    return folds === undefined
      ? { height: CARD_HEIGHT, lines: 1 }
      : { height: CARD_HEIGHT + LINE_HEIGHT, lines: 2 };
  }
  const extra = folds === "always" ? FOLD[density] : 0;
  return { height: ROW_HEIGHTS[density] + extra, lines: extra === 0 ? 1 : 2 };
}
