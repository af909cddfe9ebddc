"use client";
import { formatCount } from "@cloudwright/core/model/language/counts";
import { t } from "@cloudwright/core/model/language/text";
import { type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import { FailedLine } from "../page/panel-states.tsx";
import { type PendingQuery, useFailure } from "../page/use-failure.ts";
import { usePreferences } from "../preferences.ts";
import { useNow } from "../time/ticker.ts";
import type { Stretch } from "../url/time-range.ts";
import { nextStop } from "./bar-stops.ts";
import { type Part, partsOf, stretchBetween } from "./histogram-parts.ts";
import styles from "./time-histogram.module.css";
import { stretchText, TimeScale } from "./time-scale.tsx";
import { useBrush } from "./use-brush.ts";

/** The number of bars in a list's histogram. */
export const HISTOGRAM_PARTS = 60;
const SHORTEST_MS = 1_000;

interface TimeHistogramProps {
  readonly label: string;
  /** The noun for what is counted: `run`, `entry`. */
  readonly thing: { readonly one: string; readonly many: string };
  readonly query: PendingQuery & {
    readonly data:
      | { readonly from: number; readonly to: number; readonly counts: readonly number[] }
      | undefined;
  };
  readonly onChoose: (stretch: Stretch) => void;
}

/**
 * Shows when the rows of a list happened. Pressing a bar narrows the list to its time, dragging over several to theirs. Shift and a press
 * select up to the bar that was pressed before, or the one from which the arrow keys set out.
 */
export function TimeHistogram({ label, thing, query, onChoose }: TimeHistogramProps) {
  const list = useRef<HTMLOListElement>(null);
  const [stop, setStop] = useState(HISTOGRAM_PARTS - 1);
  // This need not be the focused bar: a pointer focuses a bar before it presses it.
  const anchor = useRef<number | undefined>(undefined);
  const parts = query.data === undefined ? [] : partsOf(query.data);
  const last = parts.length - 1;
  const current = Math.min(stop, last);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextStop(event.key, current, last);
    if (next === undefined) return;
    event.preventDefault();
    anchor.current = event.shiftKey ? (anchor.current ?? current) : next;
    list.current?.querySelectorAll("button")[next]?.focus();
  };
  const choose = (index: number) => (event: MouseEvent) => {
    if (!event.shiftKey) anchor.current = index;
    const stretch = stretchBetween(parts, index, anchor.current ?? index);
    if (stretch !== undefined) onChoose(stretch);
  };
  const failure = useFailure(query);
  const brush = useBrush(list, parts, onChoose);
  const most = Math.max(1, ...parts.map(({ count }) => count));
  if (query.data === undefined && failure !== undefined) {
    return (
      <div className={styles.histogram}>
        <FailedLine sentence={t`The histogram could not be read.`} {...failure} />
      </div>
    );
  }
  // There is no data, or only data of this moment: bars of a few milliseconds are meaningless.
  if (query.data !== undefined && query.data.to - query.data.from < SHORTEST_MS) return null;
  return (
    <section className={`grid gap-tiny ${styles.histogram}`} aria-label={label}>
      <ol ref={list} className={styles.bars} onKeyDown={onKeyDown} {...brush.handlers}>
        {parts.map((part, index) => (
          <li key={part.from} data-brushed={brush.holds(index)}>
            <Bar
              part={part}
              thing={thing}
              share={part.count / most}
              isStop={index === current}
              onFocus={() => setStop(index)}
              onClick={choose(index)}
            />
          </li>
        ))}
      </ol>
      <TimeScale parts={parts} brushed={brush.stretch} />
    </section>
  );
}

function Bar({
  part,
  thing,
  share,
  isStop,
  onFocus,
  onClick,
}: {
  readonly part: Part;
  readonly thing: { readonly one: string; readonly many: string };
  readonly share: number;
  readonly isStop: boolean;
  readonly onFocus: () => void;
  readonly onClick: (event: MouseEvent) => void;
}) {
  const { zone } = usePreferences();
  const now = useNow();
  const count = t`${formatCount(part.count)} ${part.count === 1 ? thing.one : thing.many}`;
  const label = t`${count}, ${stretchText(part, zone, now)}`;
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      tabIndex={isStop ? 0 : -1}
      onFocus={onFocus}
      onClick={onClick}
    >
      {part.count === 0 ? null : <span style={{ height: `max(3px, ${100 * share}%)` }} />}
    </button>
  );
}
