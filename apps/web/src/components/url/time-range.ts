import { t } from "@cloudwright/core/model/language/text";
import { readChoices } from "./search-params.ts";
import type { Param } from "./url-codec.ts";

export const RANGES = {
  "-1h": {
    get label() {
      return t`Last hour`;
    },
    ms: 3_600_000,
  },
  "-24h": {
    get label() {
      return t`Last 24 h`;
    },
    ms: 86_400_000,
  },
  "-7d": {
    get label() {
      return t`Last 7 days`;
    },
    ms: 604_800_000,
  },
  all: {
    get label() {
      return t`All kept`;
    },
    ms: undefined,
  },
} as const;
export type Range = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as readonly Range[];

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The time range of a list: a range that ends now, or a stretch between two moments. */
export interface TimeRange {
  readonly from: Range;
  /** A stretch of time that replaces the range, in milliseconds since the epoch. */
  readonly between: Stretch | undefined;
}

/** Reads `from=-1h`, or `from` and `to` as instants, as exports write them; a stretch needs both. */
export function readTimeRange(
  params: URLSearchParams,
  usual: Range,
): { readonly time: TimeRange; readonly dropped: readonly string[] } {
  const between = readStretch(params);
  if (between !== undefined) return { time: { from: usual, between }, dropped: [] };
  const { values, dropped } = readChoices(params.get("from"), RANGE_NAMES);
  const strayEnd = params.has("to") ? ["to"] : [];
  return { time: { from: values[0] ?? usual, between }, dropped: [...dropped, ...strayEnd] };
}

export function writeTimeRange(
  { from, between }: TimeRange,
  usual: Range,
): Readonly<Record<string, string | undefined>> {
  if (between === undefined) return { from: from === usual ? undefined : from };
  return { from: new Date(between.from).toISOString(), to: new Date(between.to).toISOString() };
}

export function isRange({ from, between }: TimeRange, range: Range): boolean {
  return between === undefined && from === range;
}

/** Returns a stretch of the same length, moved back by half of it. */
export function earlier({ from, to }: Stretch): Stretch {
  const half = Math.ceil((to - from) / 2);
  return { from: from - half, to: to - half };
}

export function later({ from, to }: Stretch): Stretch {
  const half = Math.ceil((to - from) / 2);
  return { from: from + half, to: to + half };
}

/** Returns a stretch twice as long around the same middle. */
export function wider({ from, to }: Stretch): Stretch {
  const half = Math.ceil((to - from) / 2);
  return { from: from - half, to: to + half };
}

/** Returns a stretch half as long, but at least a second. */
export function closer({ from, to }: Stretch): Stretch {
  const middle = Math.round((from + to) / 2);
  const quarter = Math.max(500, Math.round((to - from) / 4));
  return { from: middle - quarter, to: middle + quarter };
}

/**
 * A time range in one parameter, where the page's own `from` has another meaning: `-24h`, or two moments joined by `..`; absent if unset.
 */
export function timeParam(name: string): Param<TimeRange | undefined> {
  return {
    name,
    read: (text) => {
      const value = readTime(text);
      return { value, dropped: text === null || value !== undefined ? [] : [text] };
    },
    write: (time) => {
      if (time?.between === undefined) return time?.from;
      return [time.between.from, time.between.to]
        .map((at) => new Date(at).toISOString())
        .join("..");
    },
  };
}

function readTime(text: string | null): TimeRange | undefined {
  const from = RANGE_NAMES.find((name) => name === text);
  if (from !== undefined) return { from, between: undefined };
  const [start, end] = (text ?? "").split("..").map((moment) => Date.parse(moment));
  if (start === undefined || end === undefined || !(start < end)) return undefined;
  return { from: "-24h", between: { from: start, to: end } };
}

/**
 * Returns the filter for a time range. The start is rounded down to the minute, so that the moving clock does not cause a new query each
 * second.
 */
export function timeFilter(
  { from, between }: TimeRange,
  now: number,
): { readonly from?: number; readonly to?: number } {
  if (between !== undefined) return between;
  const { ms } = RANGES[from];
  return ms === undefined ? {} : { from: Math.floor((now - ms) / 60_000) * 60_000 };
}

/** The end of the year 9999, which still has room for wider ranges. */
const LATEST = Date.UTC(10_000, 0, 1) - 1;

/**
 * Reads `from` and `to` of an address; undefined unless both are moments in the right order. The server refuses moments before 1970, to
 * which the fields and buttons of a time range can lead.
 */
export function readStretch(params: URLSearchParams): Stretch | undefined {
  const [from, to] = [params.get("from"), params.get("to")].map((text) =>
    Math.min(LATEST, Math.max(0, Date.parse(text ?? ""))),
  );
  if (from === undefined || to === undefined || !(from < to)) return undefined;
  return { from, to };
}
