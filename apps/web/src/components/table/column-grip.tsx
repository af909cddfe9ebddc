"use client";
import { t } from "@cloudwright/core/model/language/text";
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import styles from "./data-table.module.css";
import { setColumnWidth, WIDTH_LIMITS } from "./use-column-widths.ts";

/** The pixels that one press of an arrow key adds or removes. */
const KEY_STEP = 16;
/** Room beside the widest text of a column, pixels. */
const AIR = 28;

/**
 * The edge of a column header that changes the column's width: by dragging, with the arrow keys, or by a double click or Enter, which fit
 * it to the visible content, so that nobody has to drag (WCAG 2.5.7).
 */
export function ColumnGrip({
  table,
  column,
  header,
  width,
}: {
  readonly table: string;
  readonly column: string;
  readonly header: string;
  readonly width: number;
}) {
  const dragged = useRef<{ readonly x: number; readonly width: number } | undefined>(undefined);
  const begin = (event: PointerEvent<HTMLElement>) => {
    dragged.current = { x: event.clientX, width: shownWidth(event.currentTarget) ?? width };
    event.currentTarget.setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const drag = ({ clientX }: PointerEvent<HTMLElement>) => {
    const start = dragged.current;
    if (start !== undefined) setColumnWidth(table, column, start.width + clientX - start.x);
  };
  const end = () => {
    dragged.current = undefined;
  };
  const fit = (grip: HTMLElement) => setColumnWidth(table, column, widestText(grip) + AIR);
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key];
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (step === undefined) fit(event.currentTarget);
    else setColumnWidth(table, column, (shownWidth(event.currentTarget) ?? width) + step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be sized by keys.
    <div
      className={styles.grip}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t`Width of ${header}`}
      aria-valuenow={width}
      aria-valuemin={WIDTH_LIMITS.least}
      aria-valuemax={WIDTH_LIMITS.most}
      aria-valuetext={t`${width} pixels`}
      title={t`Drag, or double-click to fit`}
      onPointerDown={begin}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={({ currentTarget }) => fit(currentTarget)}
      onKeyDown={press}
    />
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP };

/** A growing column is wider than the width it asks for. */
function shownWidth(grip: HTMLElement): number | undefined {
  return grip.closest("th")?.getBoundingClientRect().width;
}

function widestText(grip: HTMLElement): number {
  const head = grip.closest("th");
  const place = head?.cellIndex;
  if (head === null || place === undefined) return WIDTH_LIMITS.least;
  const cells = [...(head.closest("table")?.rows ?? [])].flatMap(({ cells: row }) => {
    const cell = row[place];
    return cell === undefined ? [] : [cell];
  });
  return Math.max(...cells.map(textWidth));
}

function textWidth(cell: HTMLElement): number {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const grip = cell.querySelector(":scope > [role=separator]");
  if (grip !== null) range.setEndBefore(grip);
  return range.getBoundingClientRect().width;
}
