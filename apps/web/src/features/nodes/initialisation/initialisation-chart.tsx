"use client";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import { type KeyboardEvent, useRef, useState } from "react";
import { Link } from "../../../components/link.tsx";
import { usePreferences } from "../../../components/preferences.ts";
import { useNow } from "../../../components/time/ticker.ts";
import type { Zone } from "../../../components/time/zone.ts";
import { nextStop } from "../../../components/time-histogram/bar-stops.ts";
import { stretchText, TimeScale } from "../../../components/time-histogram/time-scale.tsx";
import { useBrush } from "../../../components/time-histogram/use-brush.ts";
import { addresses } from "../../../components/url/addresses.ts";
import type { Stretch } from "../../../components/url/time-range.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { countOf } from "../../../platform/wording/action-title.ts";
import { STEP_LABELS } from "../../../platform/wording/step-labels.ts";
import styles from "./initialisation-chart.module.css";
import {
  type DrawnInitialisation,
  type DrawnPart,
  INITIALISED,
} from "./initialisation-chart-model.ts";

/** For each part of the time, a bar up to the median, a frame up to the 95th percentile, and a mark for the slowest step. */
export function InitialisationChart({
  drawn,
  onChoose,
}: {
  readonly drawn: DrawnInitialisation;
  readonly onChoose: (stretch: Stretch) => void;
}) {
  const list = useRef<HTMLOListElement>(null);
  const { parts, topMs } = drawn;
  const links = parts.filter(({ part }) => part !== undefined);
  const [chosen, setChosen] = useState(Number.POSITIVE_INFINITY);
  const current = Math.min(chosen, links.length - 1);
  const brush = useBrush(list, parts, onChoose);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextStop(event.key, current, links.length - 1);
    if (next === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll("a")[next]?.focus();
  };
  return (
    <>
      <div className={styles.chart}>
        <p className={styles.axis} aria-hidden="true">
          <span>{formatDuration(topMs)}</span>
          <span>{formatDuration(topMs / 2)}</span>
          <span>0</span>
        </p>
        <ol
          ref={list}
          className={styles.bars}
          aria-label={t`Initialisation of nodes over time`}
          onKeyDown={onKeyDown}
          {...brush.handlers}
        >
          {parts.map((part, index) => (
            <li key={part.from} data-brushed={brush.holds(index)}>
              {part.part === undefined ? null : (
                <PartLink
                  drawn={part}
                  isStop={links.indexOf(part) === current}
                  onFocus={() => setChosen(links.indexOf(part))}
                />
              )}
            </li>
          ))}
        </ol>
        <TimeScale parts={parts} brushed={brush.stretch} />
      </div>
      <Legend />
    </>
  );
}

function PartLink({
  drawn,
  isStop,
  onFocus,
}: {
  readonly drawn: DrawnPart;
  readonly isStop: boolean;
  readonly onFocus: () => void;
}) {
  const cluster = useClusterId();
  const { zone } = usePreferences();
  const label = partText(drawn, zone, useNow());
  const { p50, p95, step } = drawn.heights;
  return (
    <Link
      href={addresses.runsWithin(cluster, drawn, INITIALISED)}
      prefetch={false}
      aria-label={label}
      title={label}
      draggable={false}
      tabIndex={isStop ? 0 : -1}
      onFocus={onFocus}
    >
      <span data-mark="p95" style={{ height: `max(3px, ${100 * p95}%)` }} />
      <span data-mark="p50" style={{ height: `max(2px, ${100 * p50}%)` }} />
      {drawn.part?.slowestStep === undefined ? null : (
        <span data-mark="step" style={{ bottom: `${100 * step}%` }} />
      )}
    </Link>
  );
}

function partText({ from, to, part }: DrawnPart, zone: Zone, now: number): string {
  if (part === undefined) return "";
  const { nodes, p50Ms, p95Ms, slowestStep: slow } = part;
  const text = t`${stretchText({ from, to }, zone, now)}: ${countOf(nodes, "node")}, half within ${formatDuration(p50Ms)}, 95 % within ${formatDuration(p95Ms)}`;
  return slow === undefined
    ? text
    : t`${text}, slowest step ${STEP_LABELS[slow.step]} with ${formatDuration(slow.p50Ms)}`;
}

const LEGEND = [
  ["p50", () => t`Half within`],
  ["p95", () => t`95 % within`],
  ["step", () => t`Slowest step, at the median`],
] as const;

function Legend() {
  return (
    <ul className="flex wrap gap-1-4 small second" aria-label={t`What the bars mean`}>
      {LEGEND.map(([mark, label]) => (
        <li key={mark} className="flex centred gap-icon">
          <span className={styles.swatch} aria-hidden="true">
            <span data-mark={mark} />
          </span>
          {label()}
        </li>
      ))}
      <li className="quiet">{t`A bar opens the runs of its time; drag over several to zoom in.`}</li>
    </ul>
  );
}
