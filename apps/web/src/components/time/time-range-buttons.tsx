"use client";
import { t } from "@cloudwright/core/model/language/text";
import { Button, Caret } from "../button/button.tsx";
import { mixed } from "../language/mixed-text.ts";
import { LazyMenu } from "../menu/lazy-menu.tsx";
import page from "../page/page.module.css";
import { usePreferences } from "../preferences.ts";
import {
  closer,
  earlier,
  isRange,
  later,
  RANGE_NAMES,
  RANGES,
  type Stretch,
  type TimeRange,
  wider,
} from "../url/time-range.ts";
import { formatClock, formatInstant } from "./format-time.ts";
import { useNow } from "./ticker.ts";

/** The time range of a list: one of the ranges that end now, or the stretch in the address. */
export function TimeRangeButtons({
  time,
  onChange,
}: {
  readonly time: TimeRange;
  readonly onChange: (time: TimeRange) => void;
}) {
  return (
    <fieldset className={`pad-0 flush frameless ${page.plainGroup}`}>
      <legend className="visually-hidden">{t`Time range`}</legend>
      {RANGE_NAMES.map((range) => (
        <Button
          key={range}
          appearance={isRange(time, range) ? "plain" : "quiet"}
          active={isRange(time, range)}
          aria-pressed={isRange(time, range)}
          onClick={() => onChange({ from: range, between: undefined })}
        >
          {RANGES[range].label}
        </Button>
      ))}
      <StretchButtons
        between={time.between}
        onChange={(between) => onChange({ from: time.from, between })}
      />
    </fieldset>
  );
}

/** Buttons for a custom stretch instead of a range: set by its two moments, moved, and left again. */
export function StretchButtons({
  between,
  onChange,
}: {
  readonly between: Stretch | undefined;
  readonly onChange: (between: Stretch | undefined) => void;
}) {
  return (
    <>
      <StretchPopover between={between} onChoose={onChange} />
      {between === undefined ? null : (
        <>
          <StretchButton stretch={between} onLeave={() => onChange(undefined)} />
          <MoveButtons stretch={between} onMove={onChange} />
        </>
      )}
    </>
  );
}

const MOVES = [
  { sign: "‹", name: () => t`Earlier`, label: () => t`Earlier time range`, move: earlier },
  { sign: "›", name: () => t`Later`, label: () => t`Later time range`, move: later },
  { sign: "−", name: () => t`Wider`, label: () => t`Wider time range`, move: wider },
  { sign: "+", name: () => t`Narrower`, label: () => t`Narrower time range`, move: closer },
] as const;

/** The keyboard alternative to dragging: moves by half of the stretch, doubles it or halves it. */
function MoveButtons({
  stretch,
  onMove,
}: {
  readonly stretch: Stretch;
  readonly onMove: (stretch: Stretch) => void;
}) {
  return MOVES.map(({ sign, name, label, move }) => (
    <Button
      key={sign}
      appearance="quiet"
      aria-label={label()}
      title={name()}
      onClick={() => onMove(move(stretch))}
    >
      {sign}
    </Button>
  ));
}

function StretchButton({
  stretch: { from, to },
  onLeave,
}: {
  readonly stretch: Stretch;
  readonly onLeave: () => void;
}) {
  const { zone } = usePreferences();
  const now = useNow();
  return (
    <Button
      active
      aria-pressed="true"
      title={t`From ${formatInstant(from, zone)} to ${formatInstant(to, zone)}. Press to clear it.`}
      onClick={onLeave}
    >
      {formatClock(from, zone, now)} – {formatClock(to, zone, now)}
      <span className="visually-hidden">{t`, clear this time range`}</span>
      <svg width="9" height="9" viewBox="0 0 12 12" aria-hidden="true">
        <path d="m2 2 8 8m0-8-8 8" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
    </Button>
  );
}

const load = () =>
  import("../time-histogram/stretch-form.tsx").then(({ StretchPanel }) => StretchPanel);

/** A custom stretch, set by its two moments in the page's zone. */
function StretchPopover(chosen: {
  readonly between: Stretch | undefined;
  readonly onChoose: (stretch: Stretch) => void;
}) {
  const button = <Button appearance="quiet">{mixed`From – to${<Caret />}`}</Button>;
  return <LazyMenu button={button} popup="dialog" load={load} menu={chosen} />;
}
