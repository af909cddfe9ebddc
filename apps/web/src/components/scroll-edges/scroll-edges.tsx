"use client";
import { type ReactNode, type RefObject, useRef } from "react";
import styles from "./scroll-edges.module.css";
import { useScrollEdges } from "./use-scroll-edges.ts";

/** Shows on which side of what scrolls sideways there is more than is in sight: what is cut there must not look like the end. */
export function ScrollEdges({
  scroller,
  className,
  children,
}: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly className?: string | undefined;
  /** The scroller and nothing else. */
  readonly children: ReactNode;
}) {
  const { start, end, bar } = useScrollEdges(scroller);
  return (
    <div
      className={className === undefined ? styles.frame : `${styles.frame} ${className}`}
      data-more-start={start}
      data-more-end={end}
      style={barWidth(bar)}
    >
      {children}
    </div>
  );
}

/** The shade stands beside the scroll bar, not on it. */
function barWidth(bar: number) {
  const variables: Record<`--${string}`, string> = { "--scroll-bar": `${bar}px` };
  return variables;
}

/** What is too wide scrolls sideways in it, and shows on which side there is more. */
export function ScrollBox({
  className,
  children,
}: {
  /** Of the box that scrolls; its style says so. */
  readonly className: string | undefined;
  readonly children: ReactNode;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <ScrollEdges scroller={scroller}>
      <div ref={scroller} className={className}>
        {children}
      </div>
    </ScrollEdges>
  );
}
