"use client";
import { type PointerEvent, type RefObject, useRef, useState } from "react";
import type { Stretch } from "../url/time-range.ts";
import { partAt, stretchBetween } from "./histogram-parts.ts";

/** A pointer that moves fewer pixels than this presses the bar under it. */
const DRAG_FROM = 6;

/** The state of a pointer that is held down. */
interface Drag {
  began: { readonly x: number; readonly index: number } | undefined;
  isMoving: boolean;
}

interface Brushed {
  readonly one: number;
  readonly other: number;
}

/**
 * Lets a drag over bars select their time, marking the bars meanwhile. Users who cannot drag press the bars, or use the fields and buttons
 * of the time range.
 */
export function useBrush(
  bars: RefObject<Element | null>,
  parts: readonly Stretch[],
  onChoose: (stretch: Stretch) => void,
) {
  const drag = useRef<Drag>({ began: undefined, isMoving: false });
  const [brushed, setBrushed] = useState<Brushed | undefined>(undefined);
  const indexAt = (x: number): number => {
    const { left, width } = bars.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    return partAt((x - left) / Math.max(1, width), parts.length);
  };
  const stop = () => {
    drag.current.began = undefined;
    setBrushed(undefined);
  };
  return {
    holds: (index: number): boolean =>
      brushed !== undefined &&
      index >= Math.min(brushed.one, brushed.other) &&
      index <= Math.max(brushed.one, brushed.other),
    stretch: brushed === undefined ? undefined : stretchBetween(parts, brushed.one, brushed.other),
    handlers: {
      onPointerDown: ({ button, clientX: x }: PointerEvent) => {
        const isMeant = button === 0 && parts.length > 0;
        drag.current = { began: isMeant ? { x, index: indexAt(x) } : undefined, isMoving: false };
      },
      onPointerMove: (event: PointerEvent<Element>) => {
        const { began, isMoving } = drag.current;
        if (began === undefined) return;
        if (!isMoving && Math.abs(event.clientX - began.x) < DRAG_FROM) return;
        if (!isMoving) event.currentTarget.setPointerCapture(event.pointerId);
        drag.current.isMoving = true;
        setBrushed({ one: began.index, other: indexAt(event.clientX) });
      },
      onPointerUp: ({ clientX }: PointerEvent) => {
        const { began, isMoving } = drag.current;
        stop();
        if (began === undefined || !isMoving) return;
        const stretch = stretchBetween(parts, began.index, indexAt(clientX));
        if (stretch !== undefined) onChoose(stretch);
      },
      onPointerCancel: stop,
      // Otherwise the bar that a drag ends on would be pressed, too.
      onClickCapture: (event: { preventDefault(): void; stopPropagation(): void }) => {
        if (!drag.current.isMoving) return;
        drag.current.isMoving = false;
        event.preventDefault();
        event.stopPropagation();
      },
      onDragStart: (event: { preventDefault(): void }) => event.preventDefault(),
    },
  };
}
