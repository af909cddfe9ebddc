"use client";
import type { ReactNode } from "react";
import { useIsOld } from "../freshness/freshness.ts";
import type { Presentation, Shape } from "../presentation/states.ts";
import styles from "./status-icon.module.css";

/** The shape of a status. It is hidden from screen readers, because the word always stands beside it. */
export function StatusIcon({
  status,
  size = 16,
}: {
  readonly status: Presentation;
  readonly size?: number;
}) {
  // With old data, a past success says nothing about the present.
  const shape = useIsOld() && status.shape === "disc" ? "clock" : status.shape;
  return (
    <svg
      className={styles[status.tone]}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      {SHAPES[shape]}
    </svg>
  );
}

const SHAPES: Record<Shape, ReactNode> = {
  octagon: (
    <>
      <path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1Z" fill="currentColor" />
      <path d="M8 4.2v4.6" className={styles.glyph} />
      <circle cx="8" cy="11.4" r="1.05" className={styles.dot} />
    </>
  ),
  "dashed-circle": (
    <>
      <circle
        cx="8"
        cy="8"
        r="6.4"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeDasharray="2.6 2.4"
      />
      <path
        d="M6.2 6.4a1.85 1.85 0 1 1 2.7 1.65c-.6.32-.9.65-.9 1.25"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
      <circle cx="8" cy="11.3" r="0.95" fill="currentColor" />
    </>
  ),
  hourglass: (
    <path
      d="M3.4 1.2h9.2v1.6h-.7c0 2.4-1.2 4-2.7 5.2 1.5 1.2 2.7 2.8 2.7 5.2h.7v1.6H3.4v-1.6h.7c0-2.4 1.2-4 2.7-5.2-1.5-1.2-2.7-2.8-2.7-5.2h-.7Z"
      fill="currentColor"
    />
  ),
  "half-circle": (
    <>
      <circle cx="8" cy="8" r="6.3" fill="none" stroke="currentColor" strokeWidth="1.7" />
      <path d="M8 1.7a6.3 6.3 0 0 1 0 12.6Z" fill="currentColor" />
    </>
  ),
  "square-bars": (
    <>
      <rect x="1.4" y="1.4" width="13.2" height="13.2" rx="1.6" fill="currentColor" />
      <path d="M6 5v6M10 5v6" className={styles.glyph} />
    </>
  ),
  diamond: (
    <>
      <path d="M8 .7 15.3 8 8 15.3.7 8Z" fill="currentColor" />
      <path d="M5.4 6.8h5.2M5.4 9.3h5.2M9.5 4.9 6.5 11.2" className={styles.thinGlyph} />
    </>
  ),
  disc: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="m4.9 8.3 2.2 2.2 4-4.5" className={styles.glyph} />
    </>
  ),
  "ring-dash": (
    <>
      <circle cx="8" cy="8" r="6.3" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M5.2 8h5.6" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  cross: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8" className={styles.glyph} />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="6.3" fill="none" stroke="currentColor" strokeWidth="1.7" />
      <path
        d="M8 4.4V8l2.4 1.6"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
    </>
  ),
  "broken-bar": (
    <path
      d="M1.5 8h4M10.5 8h4M7.2 4.2l-1.4 7.6M10.2 4.2l-1.4 7.6"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
    />
  ),
  delta: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M8 4.6v5M5.5 7.1h5M5.6 11.5h4.8" className={styles.thinGlyph} />
    </>
  ),
  plus: (
    <>
      <circle cx="8" cy="8" r="6.3" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M8 5v6M5 8h6" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  minus: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M5 8h6" className={styles.glyph} />
    </>
  ),
  turn: (
    <>
      <path
        d="M13.4 8A5.4 5.4 0 1 1 11.6 4"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
      <path d="M14.2 1.6v4.2H10Z" fill="currentColor" />
    </>
  ),
  "dotted-ring": (
    <circle
      cx="8"
      cy="8"
      r="6.2"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeDasharray="0.1 3.8"
      strokeLinecap="round"
    />
  ),
  "slashed-ring": (
    <>
      <circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" strokeWidth="1.7" />
      <path d="M2.4 13.6 13.6 2.4" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" />
    </>
  ),
  equals: (
    <>
      <circle cx="8" cy="8" r="6.3" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path
        d="M5.4 6.6h5.2M5.4 9.4h5.2"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
    </>
  ),
};
