import type { RunsFilter } from "@cloudwright/store/views";
import { readChoices, readText, writeParams } from "../../components/url/search-params.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";
import { parseRunFilter } from "./run-grammar.ts";

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

export interface RunsView {
  readonly text: string;
  readonly from: Range;
  /** A stretch of time instead of a range that ends now, milliseconds since the epoch. */
  readonly between: Stretch | undefined;
  /** Id of the run that is looked at beside the list. */
  readonly peek: string | undefined;
}

const DEFAULT_RANGE: Range = "-24h";
/** Parameters of single filters are taken as well and become terms of the box. */
const TERMS = ["controller", "outcome", "key", "reason", "trigger"];

export const runsUrl: UrlCodec<RunsView> = {
  parse(params) {
    const between = readStretch(params);
    const range = readChoices(between === undefined ? params.get("from") : null, RANGE_NAMES);
    const terms = TERMS.flatMap((name) => params.getAll(name).map((value) => `${name}:${value}`));
    const text = [params.get("q") ?? "", ...terms].filter((term) => term !== "").join(" ");
    const known = ["q", "from", "peek", ...(between === undefined ? [] : ["to"]), ...TERMS];
    return {
      view: {
        text,
        from: range.values[0] ?? DEFAULT_RANGE,
        between,
        peek: readText(params.get("peek")),
      },
      dropped: [...range.dropped, ...[...params.keys()].filter((name) => !known.includes(name))],
    };
  },
  format: (view) =>
    writeParams({
      q: view.text,
      ...writeTime(view),
      peek: view.peek,
    }),
};

export function isRange({ from, between }: RunsView, range: Range): boolean {
  return between === undefined && from === range;
}

/** The view as the server's filter. The start is cut to the minute so that a moving clock is not a new query each second. */
export function runsFilter(view: RunsView, now: number): RunsFilter {
  if (view.between !== undefined) return { ...parseRunFilter(view.text).filter, ...view.between };
  const range = RANGES[view.from].ms;
  const from = range === undefined ? {} : { from: Math.floor((now - range) / 60_000) * 60_000 };
  return { ...parseRunFilter(view.text).filter, ...from };
}

/** `from` and `to` as instants, as exports write them; only both together are a stretch. */
function readStretch(params: URLSearchParams): Stretch | undefined {
  const [from, to] = [params.get("from"), params.get("to")].map((text) => Date.parse(text ?? ""));
  if (from === undefined || to === undefined || !(from < to)) return undefined;
  return { from, to };
}

function writeTime({ from, between }: RunsView): Readonly<Record<string, string | undefined>> {
  if (between === undefined) return { from: from === DEFAULT_RANGE ? undefined : from };
  return {
    from: new Date(between.from).toISOString(),
    to: new Date(between.to).toISOString(),
  };
}
