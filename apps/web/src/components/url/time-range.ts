import { readChoices } from "./search-params.ts";

export const RANGES = {
  "-1h": { label: "Last hour", ms: 3_600_000 },
  "-24h": { label: "Last 24 h", ms: 86_400_000 },
  "-7d": { label: "Last 7 d", ms: 604_800_000 },
  all: { label: "All kept", ms: undefined },
} as const;
export type Range = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as readonly Range[];

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The time of a list: a range that ends now, or a stretch between two moments. */
export interface TimeRange {
  readonly from: Range;
  /** A stretch of time instead of the range, milliseconds since the epoch. */
  readonly between: Stretch | undefined;
}

/** Reads `from=-1h`, or `from` and `to` as instants, as exports write them; only both together are a stretch. */
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

/** As a filter has it. The start is cut to the minute, so that a moving clock is not a new query each second. */
export function timeFilter(
  { from, between }: TimeRange,
  now: number,
): { readonly from?: number; readonly to?: number } {
  if (between !== undefined) return between;
  const { ms } = RANGES[from];
  return ms === undefined ? {} : { from: Math.floor((now - ms) / 60_000) * 60_000 };
}

function readStretch(params: URLSearchParams): Stretch | undefined {
  const [from, to] = [params.get("from"), params.get("to")].map((text) => Date.parse(text ?? ""));
  if (from === undefined || to === undefined || !(from < to)) return undefined;
  return { from, to };
}
