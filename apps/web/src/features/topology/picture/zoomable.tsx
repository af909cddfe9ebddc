"use client";
import { t } from "@cloudwright/core/model/language/text";
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
import { Button } from "../../../components/button/button.tsx";
import styles from "./picture.module.css";
import { fitted, movedBy, type Size, type Viewport, zoomedBy } from "./viewport.ts";

const STEP = 1.4;
const SHIFT = 80;
/** The pixels in a line, the unit in which some browsers report wheel movement. */
const WHEEL_LINE = 16;
/** A pointer that moves fewer pixels than this presses what is under it. */
const DRAG_FROM = 4;

/**
 * A drawing of any size that can be moved and zoomed: with the wheel (with Ctrl it zooms), by dragging, with buttons, and with keys when it
 * has the focus. Its links are in the table beside it, too, so that Tab does not stop at hundreds of nodes.
 */
export function Zoomable({
  label,
  drawing,
  children,
}: {
  readonly label: string;
  readonly drawing: Size;
  readonly children: (scale: number) => ReactNode;
}) {
  const frame = useRef<HTMLElement>(null);
  const measured = useSize(frame);
  const screen = measured ?? NO_SIZE;
  const [chosen, setChosen] = useState<Viewport | undefined>(undefined);
  const fit = fitted(drawing, screen);
  const view = chosen ?? fit;
  const zoom = (factor: number, around = { x: screen.width / 2, y: screen.height / 2 }) =>
    setChosen((now) => zoomedBy(now ?? fit, factor, around));
  const move = (x: number, y: number) =>
    setChosen((now) => movedBy(now ?? fit, { x, y }, { drawing, screen }));
  useWheel(frame, { zoom, move });
  const drag = useDrag(move);
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keyOf(event.key, { zoom, move, whole: () => setChosen(undefined) });
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  return (
    <div className={styles.picture}>
      <section
        ref={frame}
        className={styles.frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer.
        tabIndex={0}
        data-goes-on={view.y + drawing.height * view.scale > screen.height}
        aria-label={t`${label}. Arrow keys move it, plus and minus zoom, 0 fits it to view.`}
        onKeyDown={onKeyDown}
        {...drag}
      >
        <svg className={styles.svg} aria-hidden="true" focusable="false">
          <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
            {measured === undefined ? null : children(view.scale)}
          </g>
        </svg>
      </section>
      <fieldset className={`flex gap-1 pad-0 flush frameless ${styles.buttons}`}>
        <legend className="visually-hidden">{t`Zoom`}</legend>
        <Button aria-label={t`Zoom in`} title={t`Zoom in (+)`} onClick={() => zoom(STEP)}>
          +
        </Button>
        <Button aria-label={t`Zoom out`} title={t`Zoom out (−)`} onClick={() => zoom(1 / STEP)}>
          −
        </Button>
        <Button title={t`Fit to view (0)`} onClick={() => setChosen(undefined)}>
          {t`Fit`}
        </Button>
      </fieldset>
    </div>
  );
}

interface Acts {
  readonly zoom: (factor: number) => void;
  readonly move: (x: number, y: number) => void;
  readonly whole: () => void;
}

function keyOf(key: string, { zoom, move, whole }: Acts): (() => void) | undefined {
  const acts: Readonly<Record<string, () => void>> = {
    "+": () => zoom(STEP),
    "=": () => zoom(STEP),
    "-": () => zoom(1 / STEP),
    "0": whole,
    ArrowLeft: () => move(SHIFT, 0),
    ArrowRight: () => move(-SHIFT, 0),
    ArrowUp: () => move(0, SHIFT),
    ArrowDown: () => move(0, -SHIFT),
  };
  return acts[key];
}

const NO_SIZE: Size = { width: 0, height: 0 };

/** Undefined until it has been measured: otherwise thousands of shapes would have to be styled at once. */
function useSize(frame: { readonly current: HTMLElement | null }): Size | undefined {
  const [size, setSize] = useState<Size | undefined>(undefined);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  return size;
}

/** React's wheel listeners are passive, so they could not keep the page from scrolling. */
function useWheel(
  frame: { readonly current: HTMLElement | null },
  acts: {
    readonly zoom: (factor: number, around: { readonly x: number; readonly y: number }) => void;
    readonly move: (x: number, y: number) => void;
  },
): void {
  const latest = useRef(acts);
  useEffect(() => {
    latest.current = acts;
  });
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? WHEEL_LINE : 1;
      const [x, y] = [-event.deltaX * unit, -event.deltaY * unit];
      // Browsers report a pinch as a wheel event with Ctrl.
      if (!event.ctrlKey && !event.metaKey) return latest.current.move(x, y);
      const { left, top } = element.getBoundingClientRect();
      const around = { x: event.clientX - left, y: event.clientY - top };
      return latest.current.zoom(Math.exp(y * 0.0015), around);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [frame]);
}

/** The state of a pointer that is held down. */
interface Drag {
  from: { readonly x: number; readonly y: number } | undefined;
  isMoving: boolean;
}

function useDrag(move: (x: number, y: number) => void) {
  const drag = useRef<Drag>({ from: undefined, isMoving: false });
  const stop = () => {
    drag.current.from = undefined;
  };
  return {
    onPointerDown: ({ button, clientX: x, clientY: y }: PointerEvent) => {
      drag.current = { from: button === 0 ? { x, y } : undefined, isMoving: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const { from, isMoving } = drag.current;
      if (from === undefined) return;
      const by = { x: event.clientX - from.x, y: event.clientY - from.y };
      if (!isMoving && Math.hypot(by.x, by.y) < DRAG_FROM) return;
      if (!isMoving) event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { from: { x: event.clientX, y: event.clientY }, isMoving: true };
      move(by.x, by.y);
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    // Otherwise the link that a drag ends on would be followed.
    onClickCapture: (event: { preventDefault(): void; stopPropagation(): void }) => {
      if (!drag.current.isMoving) return;
      drag.current.isMoving = false;
      event.preventDefault();
      event.stopPropagation();
    },
    onDragStart: (event: { preventDefault(): void }) => event.preventDefault(),
  };
}
