"use client";
import { t } from "@cloudwright/core/model/language/text";
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import { Link } from "../../components/link.tsx";
import { usePreferences } from "../../components/preferences.ts";
import { formatCount } from "../../components/presentation/format-text.ts";
import { formatMinute } from "../../components/time/format-time.ts";
import { nextStop } from "../../components/time-histogram/bar-stops.ts";
import { useBrush } from "../../components/time-histogram/use-brush.ts";
import { addresses } from "../../components/url/addresses.ts";
import type { Stretch } from "../../components/url/time-range.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import styles from "./budget.module.css";
import { bandOf, useText } from "./budget-messages.ts";
import type { UsageProps } from "./usage-bars.ts";
import { type DrawnBar, type DrawnChart, drawChart } from "./usage-bars.ts";

const WIDTH = 10;
const GAP = 1.2;

/**
 * Calls per minute as bars, with the limit and its bands if it is known. The bars are one Tab stop; the arrow keys move from bar to bar,
 * Home and End to the first and last.
 */
export function UsageChart({
  label,
  buckets,
  filter,
  onChoose,
}: UsageProps & { readonly onChoose: (stretch: Stretch) => void }) {
  const cluster = useClusterId();
  const svg = useRef<SVGSVGElement>(null);
  const hatch = useId();
  const chart = drawChart(buckets);
  const links = chart.bars.filter(({ bucket }) => bucket.use !== undefined).length;
  const [chosen, setChosen] = useState(Number.POSITIVE_INFINITY);
  const current = Math.min(chosen, links - 1);
  const stretches = useMemo(
    () => buckets.map(({ at, until }) => ({ from: at, to: until })),
    [buckets],
  );
  const brush = useBrush(svg, stretches, onChoose);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextStop(event.key, current, links - 1);
    if (next === undefined) return;
    event.preventDefault();
    svg.current?.querySelectorAll("a")[next]?.focus();
  };
  let link = -1;
  return (
    <div className={styles.chart}>
      <Axis top={chart.top} />
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing cannot be a fieldset. */}
      <svg
        ref={svg}
        className={styles.plot}
        viewBox={`0 0 ${chart.bars.length * WIDTH} 100`}
        preserveAspectRatio="none"
        role="group"
        aria-label={label}
        onKeyDown={onKeyDown}
        {...brush.handlers}
      >
        <Hatch id={hatch} />
        <line className={styles.middle} x1="0" x2={chart.bars.length * WIDTH} y1="50" y2="50" />
        {chart.bars.map((bar, index) => (
          <BandMarks key={bar.bucket.at} bar={bar} x={index * WIDTH} />
        ))}
        {chart.bars.map((bar, index) =>
          brush.holds(index) ? (
            <rect
              key={bar.bucket.at}
              className={styles.brushed}
              x={index * WIDTH}
              y="0"
              width={WIDTH}
              height="100"
            />
          ) : null,
        )}
        {chart.bars.map((bar, index) => {
          const x = index * WIDTH;
          if (bar.bucket.use === undefined) return <UnknownBar key={bar.bucket.at} x={x} />;
          link += 1;
          const own = link;
          return (
            <BarLink
              key={bar.bucket.at}
              href={addresses.runsWithin(
                cluster,
                { from: bar.bucket.at, to: bar.bucket.until },
                filter,
              )}
              bar={bar}
              x={x}
              isStop={own === current}
              hatch={hatch}
              onFocus={() => setChosen(own)}
            />
          );
        })}
      </svg>
      <Times bars={chart.bars} />
    </div>
  );
}

/** The pattern of bars at the limit, which do not differ only by colour. */
function Hatch({ id }: { readonly id: string }) {
  return (
    <defs>
      <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse">
        <rect width="4" height="4" className={styles.overFill} />
        <path d="M0 4 4 0" className={styles.overLine} />
      </pattern>
    </defs>
  );
}

function BandMarks({ bar: { limit }, x }: { readonly bar: DrawnBar; readonly x: number }) {
  if (limit === undefined) return null;
  const band = (from: number, to: number) => ({ y: 100 - to, height: to - from });
  return (
    <g>
      <rect className={styles.nearBand} x={x} width={WIDTH} {...band(limit.near, limit.over)} />
      <rect className={styles.overBand} x={x} width={WIDTH} {...band(limit.over, limit.at)} />
      <line
        className={styles.limitLine}
        x1={x}
        x2={x + WIDTH}
        y1={100 - limit.at}
        y2={100 - limit.at}
      />
    </g>
  );
}

function UnknownBar({ x }: { readonly x: number }) {
  return (
    <rect className={styles.unknown} x={x} y="0" width={WIDTH} height="100">
      <title>{t`Not known: no record of this time`}</title>
    </rect>
  );
}

function BarLink({
  href,
  bar: { bucket, height },
  x,
  isStop,
  hatch,
  onFocus,
}: {
  readonly href: string;
  readonly bar: DrawnBar;
  readonly x: number;
  readonly isStop: boolean;
  /** Id of the pattern. */
  readonly hatch: string;
  readonly onFocus: () => void;
}) {
  const { zone } = usePreferences();
  const label = `${formatMinute(bucket.at, zone)}: ${useText(bucket.use)}`;
  const band = bucket.use === undefined ? "well" : bandOf(bucket.use);
  return (
    <Link
      href={href}
      prefetch={false}
      aria-label={label}
      tabIndex={isStop ? 0 : -1}
      onFocus={onFocus}
      className={styles.barLink}
    >
      <title>{label}</title>
      <rect className={styles.area} x={x} y="0" width={WIDTH} height="100" />
      <rect
        className={styles.bar}
        data-band={band}
        {...(band === "over" ? { fill: `url(#${hatch})` } : {})}
        x={x + GAP / 2}
        y={100 - height}
        width={WIDTH - GAP}
        height={height}
      />
    </Link>
  );
}

function Axis({ top }: Pick<DrawnChart, "top">) {
  return (
    <p className={styles.axis} aria-hidden="true">
      <span>{formatCount(top)}</span>
      <span>{formatCount(top / 2)}</span>
      <span>0</span>
    </p>
  );
}

function Times({ bars }: { readonly bars: readonly DrawnBar[] }) {
  const { zone } = usePreferences();
  const ticks = [bars[0], bars[Math.floor(bars.length / 2)]].filter((bar) => bar !== undefined);
  return (
    <p className={styles.times} aria-hidden="true">
      {ticks.map(({ bucket }) => (
        <span key={bucket.at}>{formatMinute(bucket.at, zone)}</span>
      ))}
      <span>{t`now`}</span>
    </p>
  );
}
