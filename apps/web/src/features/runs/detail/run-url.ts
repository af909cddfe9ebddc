import {
  choiceParam,
  flagParam,
  optionalTextParam,
  type Param,
  urlCodec,
} from "../../../components/url/url-codec.ts";
import type { Interval } from "./waterfall/time-scale.ts";

const RUN_TABS = ["waterfall", "plan", "diff", "events", "compare", "comments", "json"] as const;
export type RunTab = (typeof RUN_TABS)[number];

export interface RunView {
  readonly view: RunTab;
  /** The bar whose details are open, by its own id or by the start of its request's id. */
  readonly span: string | undefined;
  /** The waterfall as a table. */
  readonly asTable: boolean;
  /** The zoomed part of the waterfall, in whole milliseconds since the run's start; undefined for all of it. */
  readonly zoom: Interval | undefined;
  /** Id of the run to compare with; undefined for the previous one. */
  readonly other: string | undefined;
  /** Includes lines in which the two do not differ. */
  readonly all: boolean;
}

/** `?zoom=120..480&span=call-3`, `?view=compare&with=ID&all=1` */
export const runUrl = urlCodec<RunView>({
  view: choiceParam("view", RUN_TABS, "waterfall"),
  span: optionalTextParam("span"),
  asTable: flagParam("as", "table"),
  zoom: zoomParam("zoom"),
  other: optionalTextParam("with"),
  all: flagParam("all", "1"),
});

function zoomParam(name: string): Param<Interval | undefined> {
  return {
    name,
    read: (text) => {
      const value = readZoom(text);
      return { value, dropped: text !== null && value === undefined ? [text] : [] };
    },
    write: (zoom) => (zoom === undefined ? undefined : `${zoom.from}..${zoom.to}`),
  };
}

function readZoom(text: string | null): Interval | undefined {
  const [, from, to] = /^(-?\d{1,9})\.\.(-?\d{1,9})$/.exec(text ?? "") ?? [];
  const zoom = { from: Number(from), to: Number(to) };
  return zoom.from < zoom.to ? zoom : undefined;
}
