import type { RunsFilter } from "@cloudwright/store/views/views";
import { readText, writeParams } from "../../components/url/search-params.ts";
import {
  type Range,
  readTimeRange,
  type TimeRange,
  timeFilter,
  writeTimeRange,
} from "../../components/url/time-range.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";
import { parseRunFilter } from "../../platform/runs/run-grammar.ts";

export interface RunsView extends TimeRange {
  readonly text: string;
  /** Id of the run that is looked at beside the list. */
  readonly peek: string | undefined;
}

const DEFAULT_RANGE: Range = "-24h";
/** Parameters of single filters are taken as well and become terms of the box. */
const TERMS = ["controller", "outcome", "key", "reason", "trigger", "request"];
const KNOWN = ["q", "from", "to", "peek", ...TERMS];

export const runsUrl: UrlCodec<RunsView> = {
  parse(params) {
    const { time, dropped } = readTimeRange(params, DEFAULT_RANGE);
    const terms = TERMS.flatMap((name) => params.getAll(name).map((value) => `${name}:${value}`));
    const text = [params.get("q") ?? "", ...terms].filter((term) => term !== "").join(" ");
    return {
      view: { text, ...time, peek: readText(params.get("peek")) },
      dropped: [...dropped, ...[...params.keys()].filter((name) => !KNOWN.includes(name))],
    };
  },
  format: (view) =>
    writeParams({ q: view.text, ...writeTimeRange(view, DEFAULT_RANGE), peek: view.peek }),
};

/** The view as the server's filter. */
export function runsFilter(view: RunsView, now: number): RunsFilter {
  return { ...parseRunFilter(view.text).filter, ...timeFilter(view, now) };
}
