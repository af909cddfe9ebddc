"use client";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import styles from "./scroll-edges.module.css";

/** Shows on which side of what scrolls sideways there is more than is in sight: what is cut there must not look like the end. */
export function ScrollEdges({
  scroller,
  className,
  isSoft = false,
  children,
}: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly className?: string | undefined;
  /** Fades into the page, for a row that has no frame of its own. */
  readonly isSoft?: boolean;
  /** The scroller and nothing else. */
  readonly children: ReactNode;
}) {
  const { start, end, bar } = useScrollEdges(scroller);
  return (
    <div
      className={className === undefined ? styles.frame : `${styles.frame} ${className}`}
      data-more-start={start}
      data-more-end={end}
      data-soft={isSoft}
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

/** What lies beyond the edges of a scroller, and how wide its scroll bar is, pixels. */
interface ScrollEdgesState {
  readonly start: boolean;
  readonly end: boolean;
  readonly bar: number;
}

const NONE: ScrollEdgesState = { start: false, end: false, bar: 0 };

function useScrollEdges(scroller: RefObject<HTMLElement | null>): ScrollEdgesState {
  const [edges, setEdges] = useState(NONE);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const appearance = () =>
      setEdges((before) => {
        const now = edgesOf(element);
        return now.start === before.start && now.end === before.end && now.bar === before.bar
          ? before
          : now;
      });
    appearance();
    const sizes = new ResizeObserver(appearance);
    sizes.observe(element);
    // What is in it may grow without it: a column that is made wider, a table that has got its rows.
    for (const child of element.children) sizes.observe(child);
    element.addEventListener("scroll", appearance, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", appearance);
    };
  }, [scroller]);
  return edges;
}

/** Less than this is rounding, pixels. */
const SLACK = 1.5;

export function edgesOf({
  scrollLeft,
  scrollWidth,
  clientWidth,
  offsetWidth,
}: Pick<
  HTMLElement,
  "scrollLeft" | "scrollWidth" | "clientWidth" | "offsetWidth"
>): ScrollEdgesState {
  return {
    start: scrollLeft > SLACK,
    end: scrollWidth - clientWidth - scrollLeft > SLACK,
    bar: offsetWidth - clientWidth,
  };
}
