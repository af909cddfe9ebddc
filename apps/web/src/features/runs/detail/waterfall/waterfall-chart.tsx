"use client";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { mixed } from "../../../../components/language/mixed-text.ts";
import { triesText } from "../tries.ts";
import type { Bar } from "./bar.ts";
import timeAxis from "./time-axis.module.css";
import type { Interval, TimeScale } from "./time-scale.ts";
import styles from "./waterfall.module.css";
import type { Waterfall } from "./waterfall.ts";

const ROW_HEIGHT = 32;
const MOST_HEIGHT = 640;

/** The bars. For a run with thousands of calls, only the visible ones are in the document. */
export function WaterfallChart({
  model,
  selected,
  onSelect,
}: {
  readonly model: Waterfall;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const chosen = model.bars.findIndex(({ id }) => id === selected);
  const virtualizer = useVirtualizer({
    count: model.bars.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    // On a narrow screen, a long call takes several lines.
    measureElement: (row) => Math.max(ROW_HEIGHT, row.getBoundingClientRect().height),
    overscan: 10,
    // An address that names a bar far down opens there.
    initialOffset: () => Math.max(0, chosen * ROW_HEIGHT - MOST_HEIGHT / 2),
  });
  const height = virtualizer.getTotalSize();
  return (
    <>
      <TimeAxis model={model} />
      <div ref={scroller} className="scroll" style={{ height: Math.min(height, MOST_HEIGHT) }}>
        <ol className="relative" style={{ height }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const bar = model.bars[index];
            return bar === undefined ? null : (
              <li
                key={bar.id}
                ref={virtualizer.measureElement}
                data-index={index}
                className={styles.row}
                style={{ transform: `translateY(${start}px)` }}
              >
                <BarRow
                  bar={bar}
                  scale={model.scale}
                  isSelected={bar.id === selected}
                  onSelect={onSelect}
                />
              </li>
            );
          })}
        </ol>
      </div>
    </>
  );
}

function BarRow({
  bar,
  scale,
  isSelected,
  onSelect,
}: {
  readonly bar: Bar;
  readonly scale: TimeScale;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}) {
  const { step } = bar;
  return (
    <button
      type="button"
      className={`wide start see-through pointer ${styles.button}`}
      aria-expanded={isSelected}
      onClick={() => onSelect(bar.id)}
    >
      <span className={`flex centred narrows ${styles.label}`} data-level={bar.level}>
        {bar.level > 0 ? (
          <span className={`rigid small quiet ${styles.system}`}>{bar.kind}</span>
        ) : null}
        <span
          className={`clip ellipsis nowrap ${styles.operation}`}
          title={`${bar.label} ${bar.target ?? ""}`.trim()}
        >
          {bar.label}
          {bar.target === undefined || bar.target === "" ? null : (
            <span className={styles.target}> {bar.target}</span>
          )}
        </span>
        {bar.critical ? (
          <span className={styles.critical} title={t`On the critical path`}>
            <span aria-hidden="true">◂</span>
            <span className="visually-hidden">{t`on the critical path`}</span>
          </span>
        ) : null}
      </span>
      <span className={styles.track} aria-hidden="true">
        {scale.folded.map((fold) => (
          <Fold key={fold.from} fold={fold} scale={scale} />
        ))}
        <BarShape bar={bar} scale={scale} />
      </span>
      <span className="flex at-end gap-3 small figures">
        {bar.tries === undefined ? null : (
          <span className="quiet" title={triesText(bar.tries)}>
            {mixed`${bar.tries.count} attempts`}
          </span>
        )}
        {formatDuration(Math.max(0, bar.to - bar.from))}
        {step?.status === undefined ? null : (
          <span className={styles.status} data-failed={bar.failed}>
            {step.status}
          </span>
        )}
        {bar.failed && step?.status === undefined && bar.tries === undefined ? (
          <span className={styles.status} data-failed="true">
            {t`failed`}
          </span>
        ) : null}
      </span>
    </button>
  );
}

function BarShape({ bar, scale }: { readonly bar: Bar; readonly scale: TimeScale }) {
  const waited = bar.step?.limiterWaitMs ?? 0;
  return (
    <>
      {waited > 0 ? (
        <span
          className={styles.shape}
          data-kind="limiter"
          style={place(scale, { from: bar.from, to: bar.from + waited })}
        />
      ) : null}
      <span
        className={styles.shape}
        data-kind={shapeOf(bar)}
        data-failed={bar.failed && bar.tries === undefined}
        data-critical={bar.critical}
        style={place(scale, { from: bar.from + waited, to: bar.to })}
      />
    </>
  );
}

function shapeOf({ level, kind, tries }: Bar): string {
  if (tries !== undefined) return "tries";
  return level === 0 && kind !== "queue" ? "phase" : kind;
}

function Fold({ fold, scale }: { readonly fold: Interval; readonly scale: TimeScale }) {
  return <span className={styles.fold} title={idleText(fold)} style={place(scale, fold)} />;
}

function idleText({ from, to }: Interval): string {
  return t`${formatDuration(to - from)} in which nothing happened, drawn shorter`;
}

function place(scale: TimeScale, { from, to }: Interval) {
  const left = scale.position(from);
  return { left: `${left * 100}%`, width: `max(2px, ${(scale.position(to) - left) * 100}%)` };
}

/** Labels the columns, and the time of the run at each position of the drawing. The table has the same in figures. */
function TimeAxis({ model }: { readonly model: Waterfall }) {
  return (
    <div className={`small quiet strong-line-below ${timeAxis.axis}`} aria-hidden="true">
      <span>{t`Call and target`}</span>
      <span className={timeAxis.track}>
        {axisTicks(model).map(({ at, place: left }) => (
          <span
            key={at}
            className={`absolute nowrap figures ${timeAxis.tick}`}
            style={{ left: `${left * 100}%` }}
          >
            {tickText(at)}
          </span>
        ))}
        {model.scale.folded.map((fold) => (
          <span
            key={fold.from}
            className={`absolute nowrap figures clip ${timeAxis.idle}`}
            style={place(model.scale, fold)}
            title={idleText(fold)}
          >
            ⋯ {formatDuration(fold.to - fold.from)}
          </span>
        ))}
      </span>
      <span className="end">{t`Took, status`}</span>
    </div>
  );
}

interface Tick {
  /** Milliseconds since the run's start. */
  readonly at: number;
  /** Its position in the drawing, from 0 to 1. */
  readonly place: number;
}

/** The maximum number of steps to try. */
const MOST = 8;
/** The minimum distance between ticks, so that their labels do not overlap and the last one has room; as a share of the drawing. */
const APART = 0.1;
const LAST = 0.93;

/** Returns round times of the run along the drawing; fewer where idle time is folded. */
export function axisTicks({ whole, scale }: Pick<Waterfall, "whole" | "scale">): readonly Tick[] {
  const step = roundStep((whole.to - whole.from) / MOST);
  // Adding 0 turns −0 into 0.
  const first = Math.ceil(whole.from / step) * step + 0;
  const ticks: Tick[] = [];
  for (let at = first; at <= whole.to; at += step) {
    const place = scale.position(at);
    const isFolded = scale.folded.some(({ from, to }) => at > from && at < to);
    const isApart = place - (ticks.at(-1)?.place ?? Number.NEGATIVE_INFINITY) >= APART;
    if (!isFolded && isApart && place <= LAST) ticks.push({ at, place });
  }
  return ticks;
}

/** `0`, `+200 ms`, and before the run's start `−1.5 s`. */
export function tickText(at: number): string {
  if (at === 0) return "0";
  return `${at < 0 ? "−" : "+"}${formatDuration(Math.abs(at))}`;
}

/** Returns the next of 1, 2, 5, 10, 20, … that is at least this long; never below one millisecond. */
function roundStep(length: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(length, 1)));
  return power * ([1, 2, 5].find((factor) => factor * power >= length) ?? 10);
}
