"use client";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t, worded } from "@cloudwright/core/model/language/text";
import { type PointerEvent, useMemo, useRef, useState } from "react";
import { Button } from "../../../../components/button/button.tsx";
import { keepUnits } from "../../../../components/presentation/format-text.ts";
import type { Interval } from "./time-scale.ts";
import type { Waterfall } from "./waterfall.ts";
import { brushed, shifted, zoomedIn, zoomedOut } from "./zoom.ts";
import styles from "./zoom-bar.module.css";

interface ZoomProps {
  /** The whole run. */
  readonly model: Waterfall;
  /** The visible part; undefined for all of it. */
  readonly part: Interval | undefined;
  readonly onZoom: (part: Interval | undefined) => void;
}

/** An overview of the whole run, over which a part is brushed, and buttons for users who do not drag (WCAG 2.5.7). */
export function ZoomBar({
  chosen,
  ...zoom
}: ZoomProps & {
  /** The bar whose details are open. */
  readonly chosen: Interval | undefined;
}) {
  const { model, part, onZoom } = zoom;
  const { whole } = model;
  const now = part ?? whole;
  const isWhole = part === undefined;
  const [closer, earlier, later] = [
    zoomedIn(now, chosen),
    shifted(now, whole, -1),
    shifted(now, whole, 1),
  ];
  const whyNot = (next: Interval, reason: string) => (isSame(next, now) ? reason : undefined);
  const ofWhole = isWhole ? WHY_NOT.whole : undefined;
  return (
    <div className="grid gap-1 pad-2-4 line-below">
      <Brush {...zoom} />
      <div className={`flex centred wrap ${styles.buttons}`}>
        <Step whyNot={whyNot(closer, WHY_NOT.shortest)} onPress={() => onZoom(closer)}>
          {t`Zoom in`}
        </Step>
        <Step whyNot={ofWhole} onPress={() => onZoom(zoomedOut(now, whole))}>
          {t`Zoom out`}
        </Step>
        <Step whyNot={ofWhole ?? whyNot(earlier, WHY_NOT.begins)} onPress={() => onZoom(earlier)}>
          {t`Earlier`}
        </Step>
        <Step whyNot={ofWhole ?? whyNot(later, WHY_NOT.ends)} onPress={() => onZoom(later)}>
          {t`Later`}
        </Step>
        <Step whyNot={ofWhole} onPress={() => onZoom(undefined)}>
          {t`Whole run`}
        </Step>
        <p role="status" className="push small figures quiet">
          {isWhole
            ? WHY_NOT.whole
            : keepUnits(t`${instantText(now.from)} to ${instantText(now.to)}`)}
        </p>
      </div>
    </div>
  );
}

const WHY_NOT = worded({
  whole: () => t`The whole run is shown.`,
  shortest: () => t`A shorter part shows no more detail.`,
  begins: () => t`The run begins here.`,
  ends: () => t`The run ends here.`,
});

function isSame(one: Interval, other: Interval): boolean {
  return one.from === other.from && one.to === other.to;
}

/** A button that explains why it is disabled, and keeps the focus when it becomes so. */
function Step({
  whyNot,
  onPress,
  children,
}: {
  readonly whyNot: string | undefined;
  readonly onPress: () => void;
  readonly children: string;
}) {
  return (
    <Button
      appearance="quiet"
      aria-disabled={whyNot !== undefined}
      title={whyNot}
      onClick={whyNot === undefined ? onPress : undefined}
    >
      {children}
    </Button>
  );
}

/** Returns `+120 ms`, or `20 ms before` the run began. */
function instantText(ms: number): string {
  return ms < 0 ? t`${formatDuration(-ms)} before` : `+${formatDuration(ms)}`;
}

const PERCENT = 100;

function Brush({ model, part, onZoom }: ZoomProps) {
  const strip = useRef<HTMLDivElement>(null);
  const [ends, setEnds] = useState<readonly [number, number] | undefined>(undefined);
  const placeOf = ({ clientX }: PointerEvent) => {
    const box = strip.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return 0;
    return Math.min(1, Math.max(0, (clientX - box.left) / box.width));
  };
  const begin = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    event.preventDefault();
    const place = placeOf(event);
    setEnds([place, place]);
  };
  const draw = (event: PointerEvent) => {
    if (ends !== undefined) setEnds([ends[0], placeOf(event)]);
  };
  const end = () => {
    const chosen = ends === undefined ? undefined : brushed(model, ends);
    setEnds(undefined);
    if (chosen !== undefined) onZoom(chosen);
  };
  const window = ends ?? placesOf(model, part);
  return (
    <div
      ref={strip}
      className={`relative quiet sunken ${styles.strip}`}
      aria-hidden="true"
      title={t`Drag over a part to zoom in on it`}
      onPointerDown={begin}
      onPointerMove={draw}
      onPointerUp={end}
      onPointerCancel={() => setEnds(undefined)}
    >
      <Small model={model} />
      {window === undefined ? null : (
        <span
          className={styles.window}
          style={{
            left: `${Math.min(...window) * PERCENT}%`,
            width: `${Math.abs(window[1] - window[0]) * PERCENT}%`,
          }}
        />
      )}
    </div>
  );
}

function placesOf(
  { scale }: Waterfall,
  part: Interval | undefined,
): readonly [number, number] | undefined {
  return part === undefined ? undefined : [scale.position(part.from), scale.position(part.to)];
}

const WIDTH = 1_000;

/** All bars as a single drawing, however many there are. */
function Small({ model: { bars, scale } }: { readonly model: Waterfall }) {
  const lines = useMemo(
    () =>
      bars
        .map(({ from, to }, index) => {
          const left = scale.position(from) * WIDTH;
          const width = Math.max(2, scale.position(to) * WIDTH - left);
          return `M${left.toFixed(1)} ${index + 0.5}h${width.toFixed(1)}`;
        })
        .join(""),
    [bars, scale],
  );
  return (
    <svg
      className={styles.small}
      viewBox={`0 0 ${WIDTH} ${Math.max(1, bars.length)}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={lines} stroke="currentColor" strokeWidth="0.7" />
    </svg>
  );
}
