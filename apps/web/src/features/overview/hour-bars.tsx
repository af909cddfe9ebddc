"use client";
import { t } from "@cloudwright/core/model/language/text";
import { type KeyboardEvent, useRef, useState } from "react";
import { Link } from "../../components/link.tsx";
import { usePreferences } from "../../components/preferences.ts";
import { formatMinute } from "../../components/time/format-time.ts";
import { nextStop } from "../../components/time-histogram/bar-stops.ts";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { type Bar, barText } from "./hour-counts.ts";
import styles from "./last-hour.module.css";

/** The bars are one Tab stop; the arrow keys move from bar to bar, Home and End to the first and last. */
export function HourBars({ bars }: { readonly bars: readonly Bar[] }) {
  const list = useRef<HTMLOListElement>(null);
  const [current, setCurrent] = useState(bars.length - 1);
  const most = Math.max(1, ...bars.map(({ total }) => total));
  const last = bars.length - 1;
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextStop(event.key, Math.min(current, last), last);
    if (next === undefined) return;
    event.preventDefault();
    list.current?.querySelectorAll("a")[next]?.focus();
  };
  return (
    <>
      <ol
        ref={list}
        className={styles.bars}
        aria-label={t`Runs of the last hour`}
        onKeyDown={onKeyDown}
      >
        {bars.map((bar, index) => (
          <li key={bar.at}>
            <BarLink
              bar={bar}
              most={most}
              isStop={index === Math.min(current, last)}
              onFocus={() => setCurrent(index)}
            />
          </li>
        ))}
      </ol>
      <Scale bars={bars} />
    </>
  );
}

function BarLink({
  bar,
  most,
  isStop,
  onFocus,
}: {
  readonly bar: Bar;
  readonly most: number;
  readonly isStop: boolean;
  readonly onFocus: () => void;
}) {
  const cluster = useClusterId();
  const { zone } = usePreferences();
  const label = t`${formatMinute(bar.at, zone)}: ${barText(bar)}`;
  return (
    <Link
      href={addresses.runsBetween(cluster, bar.at, bar.until)}
      prefetch={false}
      aria-label={label}
      title={label}
      tabIndex={isStop ? 0 : -1}
      onFocus={onFocus}
    >
      {(["failed", "waiting", "changed"] as const).map((kind) =>
        bar[kind] === 0 ? null : (
          <span key={kind} data-kind={kind} style={{ height: `${(100 * bar[kind]) / most}%` }} />
        ),
      )}
    </Link>
  );
}

function Scale({ bars }: { readonly bars: readonly Bar[] }) {
  const { zone } = usePreferences();
  const ticks = [bars[0], bars[Math.floor(bars.length / 2)]].filter((bar) => bar !== undefined);
  return (
    <p className={styles.scale} aria-hidden="true">
      {ticks.map(({ at }) => (
        <span key={at}>{formatMinute(at, zone)}</span>
      ))}
      <span>{t`now`}</span>
    </p>
  );
}
