"use client";
import { type RefObject, useEffect, useState } from "react";

/** What lies beyond the edges of a scroller, and how wide its scroll bar is, pixels. */
export interface ScrollEdgesState {
  readonly start: boolean;
  readonly end: boolean;
  readonly bar: number;
}

const NONE: ScrollEdgesState = { start: false, end: false, bar: 0 };

export function useScrollEdges(scroller: RefObject<HTMLElement | null>): ScrollEdgesState {
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
