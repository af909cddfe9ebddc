"use client";
import { type ReactNode, useRef } from "react";
import { ScrollEdges } from "./scroll-edges.tsx";

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
