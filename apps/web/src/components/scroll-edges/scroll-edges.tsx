"use client";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import styles from "./scroll-edges.module.css";

/** Shows on which side a horizontal scroller has more content, so that a cut does not look like the end. */
export function ScrollEdges({
  scroller,
  className,
  isSoft = false,
  children,
}: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly className?: string | undefined;
  /** Fades into the page; for a row without a frame of its own. */
  readonly isSoft?: boolean;
  /** The scroller, and nothing else. */
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

/** The shade stands beside the scroll bar, not on top of it. */
function barWidth(bar: number) {
  const variables: Record<`--${string}`, string> = { "--scroll-bar": `${bar}px` };
  return variables;
}

/** A box that scrolls content that is too wide, and shows on which side there is more. */
export function ScrollBox({
  className,
  children,
}: {
  /** The class of the box that scrolls; its style makes it do so. */
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

/** On which sides a scroller has more content, and the width of its scroll bar in pixels. */
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
    // The content may grow without the scroller: a column is widened, a table receives its rows.
    for (const child of element.children) sizes.observe(child);
    element.addEventListener("scroll", appearance, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", appearance);
    };
  }, [scroller]);
  return edges;
}

/** Smaller offsets are rounding errors, in pixels. */
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
