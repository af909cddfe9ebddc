import { STATES, type State } from "@cloudwright/core/model/state";
import {
  choiceParam,
  choicesParam,
  optionalTextParam,
  textParam,
  urlCodec,
} from "../../components/url/url-codec.ts";

const TOPOLOGY_SHOWS = ["nodes", "services"] as const;
export type TopologyShow = (typeof TOPOLOGY_SHOWS)[number];

export interface TopologyPageView {
  readonly show: TopologyShow;
  readonly text: string;
  readonly states: readonly State[];
  /** A single zone; `""` for nodes in none. */
  readonly zone: string | undefined;
  /** What a wide screen shows: the drawing beside the table, or only one of them. */
  readonly layout: "both" | "picture" | "table";
}

/** The address of a view: `?show=services&q=shop`, or `?zone=z1&state=stuck`. */
export const topologyUrl = urlCodec<TopologyPageView>({
  show: choiceParam("show", TOPOLOGY_SHOWS, "nodes"),
  text: textParam("q"),
  states: choicesParam("state", STATES),
  zone: optionalTextParam("zone"),
  layout: choiceParam("view", ["both", "picture", "table"], "both"),
});

export function isNarrowed({ text, states, zone }: TopologyPageView): boolean {
  return text.trim() !== "" || states.length > 0 || zone !== undefined;
}

export function withoutFilters(view: TopologyPageView): TopologyPageView {
  return { ...view, text: "", states: [], zone: undefined };
}
