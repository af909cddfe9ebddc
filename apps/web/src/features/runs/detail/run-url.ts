import { readChoices, readText, writeParams } from "../../../components/url/search-params.ts";
import type { UrlCodec } from "../../../components/url/use-url-state.ts";
import type { Interval } from "./time-scale.ts";

export const RUN_TABS = ["waterfall", "plan", "diff", "compare", "json"] as const;
export type RunTab = (typeof RUN_TABS)[number];

export interface RunView {
  readonly view: RunTab;
  /** The bar whose details are open. */
  readonly span: string | undefined;
  /** The waterfall as a table. */
  readonly asTable: boolean;
  /** The part of the waterfall that is looked at, in whole milliseconds since the run's start; undefined for all of it. */
  readonly zoom: Interval | undefined;
  /** Id of the run that this one is compared with; undefined for the one before it. */
  readonly other: string | undefined;
  /** Also the lines in which the two do not differ. */
  readonly all: boolean;
}

const KNOWN = ["view", "span", "as", "zoom", "with", "all"];

/** `?zoom=120..480&span=call-3`, `?view=compare&with=ID&all=1` */
export const runUrl: UrlCodec<RunView> = {
  parse(params) {
    const view = readChoices(params.get("view"), RUN_TABS);
    const zoom = readZoom(params.get("zoom"));
    return {
      view: {
        view: view.values[0] ?? "waterfall",
        span: params.get("span") ?? undefined,
        asTable: params.get("as") === "table",
        zoom,
        other: readText(params.get("with")),
        all: params.get("all") === "1",
      },
      dropped: [
        ...view.dropped,
        ...(params.has("zoom") && zoom === undefined ? [params.get("zoom") ?? ""] : []),
        ...[...params.keys()].filter((name) => !KNOWN.includes(name)),
      ],
    };
  },
  format: ({ view, span, asTable, zoom, other, all }) =>
    writeParams({
      view: view === "waterfall" ? undefined : view,
      span,
      as: asTable ? "table" : undefined,
      zoom: zoom === undefined ? undefined : `${zoom.from}..${zoom.to}`,
      with: other,
      all: all ? "1" : undefined,
    }),
};

function readZoom(text: string | null): Interval | undefined {
  const [, from, to] = /^(-?\d{1,9})\.\.(-?\d{1,9})$/.exec(text ?? "") ?? [];
  const zoom = { from: Number(from), to: Number(to) };
  return zoom.from < zoom.to ? zoom : undefined;
}
