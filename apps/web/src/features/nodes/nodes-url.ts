import { type ReasonCode, reasonSchema } from "@cloudwright/core/model/reason";
import { DRIFTS, type Drift, STATES, type State } from "@cloudwright/core/model/state";
import { NODE_SORTS, type NodeSort, type NodesFilter } from "@cloudwright/store/views";
import {
  readChoices,
  readSort,
  readText,
  writeParams,
} from "../../components/url/search-params.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";

export interface NodesView {
  readonly text: string;
  readonly states: readonly State[];
  readonly zones: readonly string[];
  readonly types: readonly string[];
  readonly drift: Drift | undefined;
  /** Only those that are as they are for this reason; the Overview leads there. */
  readonly reason: ReasonCode | undefined;
  readonly sort: { readonly by: NodeSort; readonly descending: boolean };
  /** Name of the node that is looked at beside the list. */
  readonly peek: string | undefined;
}

/** What needs a person or hides the truth; the key `f` shows only these. */
export const FAULTS: readonly State[] = ["stuck", "unknown"];

const WORST_FIRST: NodesView["sort"] = { by: "state", descending: false };
const KNOWN = ["q", "state", "zone", "type", "drift", "reason", "sort", "peek"];
const REASONS: readonly ReasonCode[] = reasonSchema.options.map(
  (option) => option.unwrap().shape.code.value,
);

/** The address of a view of the Nodes page: `?q=10.0&state=stuck,unknown&zone=a&sort=-since`. */
export const nodesUrl: UrlCodec<NodesView> = {
  parse(params) {
    const states = readChoices(params.get("state"), STATES);
    const drifts = readChoices(params.get("drift"), DRIFTS);
    const reasons = readChoices(params.get("reason"), REASONS);
    const sort = readSort(params.get("sort"), NODE_SORTS);
    return {
      view: {
        text: params.get("q") ?? "",
        states: states.values,
        zones: words(params.get("zone")),
        types: words(params.get("type")),
        drift: drifts.values[0],
        reason: reasons.values[0],
        sort: sort ?? WORST_FIRST,
        peek: readText(params.get("peek")),
      },
      dropped: [
        ...states.dropped,
        ...drifts.dropped,
        ...reasons.dropped,
        ...(params.has("sort") && sort === undefined ? [params.get("sort") ?? ""] : []),
        ...[...params.keys()].filter((name) => !KNOWN.includes(name)),
      ],
    };
  },
  format(view) {
    const plain = view.sort.by === WORST_FIRST.by && !view.sort.descending;
    return writeParams({
      q: view.text,
      state: view.states.join(","),
      zone: view.zones.join(","),
      type: view.types.join(","),
      drift: view.drift,
      reason: view.reason,
      sort: plain ? undefined : `${view.sort.descending ? "-" : ""}${view.sort.by}`,
      peek: view.peek,
    });
  },
};

/** The view as the server's filter: what is empty is not asked for. */
export function nodesFilter(view: NodesView): NodesFilter {
  return {
    text: view.text.trim() === "" ? undefined : view.text.trim(),
    states: some(view.states),
    zones: some(view.zones),
    types: some(view.types),
    drift: view.drift,
    reason: view.reason,
  };
}

export function isFiltered(view: NodesView): boolean {
  return Object.values(nodesFilter(view)).some((value) => value !== undefined);
}

export function withoutFilters(view: NodesView): NodesView {
  const plain = nodesUrl.parse(new URLSearchParams()).view;
  return { ...plain, sort: view.sort, peek: view.peek };
}

export function toggleFaults(view: NodesView): NodesView {
  const on = view.states.join() === FAULTS.join();
  return { ...view, states: on ? [] : FAULTS };
}

export function toggleState(view: NodesView, state: State): NodesView {
  const states = view.states.includes(state)
    ? view.states.filter((other) => other !== state)
    : STATES.filter((other) => other === state || view.states.includes(other));
  return { ...view, states };
}

/** A click on a column's header: first its natural order, then the other way round. */
export function sortedBy(view: NodesView, by: NodeSort): NodesView {
  const descending = view.sort.by === by && !view.sort.descending;
  return { ...view, sort: { by, descending } };
}

function words(text: string | null): readonly string[] {
  return (text ?? "").split(",").filter((word) => word !== "");
}

function some<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length === 0 ? undefined : values;
}
