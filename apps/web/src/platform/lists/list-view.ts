import { REASON_NAME } from "@cloudwright/core/model/reason";
import { DRIFTS, type Drift, STATES, type State } from "@cloudwright/core/model/state";
import { readSort } from "../../components/url/search-params.ts";
import {
  choicesParam,
  optionalChoiceParam,
  optionalTextParam,
  type Param,
  textParam,
  urlCodec,
} from "../../components/url/url-codec.ts";
import type { ChangeView, UrlCodec } from "../../components/url/use-url-state.ts";

/** What the address of every list of what controllers look after says: nodes, load balancers, routes, volumes. */
export interface ListView<Sort extends string = string> {
  readonly text: string;
  readonly states: readonly State[];
  readonly drift: Drift | undefined;
  /** Only those that are as they are for this reason; the Overview leads there. */
  readonly reason: string | undefined;
  readonly sort: ListSort<Sort>;
  /** What is looked at beside the list. */
  readonly peek: string | undefined;
}

export interface ListSort<Sort extends string> {
  readonly by: Sort;
  readonly descending: boolean;
}

/** What needs a user or hides the truth; the key `f` shows only these. */
export const FAULTS: readonly State[] = ["stuck", "unknown"];

/** The order of a list whose address names none. */
export const WORST_FIRST = { by: "state", descending: false } as const;

/** The parameters of a list, those of what is listed first. */
function listParams<Sort extends string>(sorts: readonly Sort[], listed: object, own: object) {
  return {
    ...listed,
    ...{ text: textParam("q"), states: choicesParam("state", STATES), ...own },
    drift: optionalChoiceParam("drift", DRIFTS),
    reason: optionalTextParam("reason", REASON_NAME),
    sort: sortParam(sorts),
    peek: optionalTextParam("peek"),
  };
}

function sortParam<Sort extends string>(sorts: readonly Sort[]): Param<ListSort<Sort | "state">> {
  return {
    name: "sort",
    read: (text) => {
      const value = readSort(text, sorts);
      const isUnknown = text !== null && value === undefined;
      return { value: value ?? WORST_FIRST, dropped: isUnknown ? [text] : [] };
    },
    write: ({ by, descending }) =>
      by === WORST_FIRST.by && !descending ? undefined : `${descending ? "-" : ""}${by}`,
  };
}

/** The shared part of the server's filter: what is empty is not asked for. */
export function listFilter({ text, states, drift, reason }: Omit<ListView, "sort" | "peek">) {
  return { text: wanted(text), states: some(states), drift, reason };
}

/** The address of a list, and what follows from it. */
export interface ListUrl<View, Filter extends object = object> extends UrlCodec<View> {
  /** The view as the server's filter: what is empty is not asked for. */
  readonly filter: (view: View) => Filter;
  /** Whether that leaves anything out. */
  readonly isFiltered: (view: View) => boolean;
  /** The view of all rows: its order, and what is looked at beside it, stay. */
  readonly withoutFilters: (view: View) => View;
}

type OwnParams<View extends ListView> = {
  readonly [Member in Exclude<keyof View, keyof ListView>]?: Param<View[Member]>;
};

interface ListUrlOf<View extends ListView, Filter extends object> {
  /** By what it can be sorted besides the state. */
  readonly sorts: readonly View["sort"]["by"][];
  /** The parameters that say what is listed, and how it is laid out. */
  readonly listed?: OwnParams<View>;
  /** Those that narrow this list alone. */
  readonly own?: OwnParams<View>;
  readonly filter: (view: View) => Filter;
  /** What of a view is no filter, besides its order and what is looked at. */
  readonly stays?: (view: View) => Partial<View>;
}

/** The address of such a list from what is its own. */
export function listUrl<View extends ListView, Filter extends object>({
  sorts,
  listed = {},
  own = {},
  filter,
  stays = () => ({}),
}: ListUrlOf<View, Filter>): ListUrl<View, Filter> {
  // The members of a view are those of all lists and those that are named here.
  const codec = urlCodec(listParams(sorts, listed, own)) as UrlCodec<ListView> as UrlCodec<View>;
  return {
    ...codec,
    filter,
    isFiltered: (view) => Object.values(filter(view)).some((value) => value !== undefined),
    withoutFilters: (view) => ({
      ...codec.parse(new URLSearchParams()).view,
      ...stays(view),
      ...{ sort: view.sort, peek: view.peek },
    }),
  };
}

/** A text without the spaces around it; undefined when nothing is left. */
export function wanted(text: string): string | undefined {
  return text.trim() === "" ? undefined : text.trim();
}

/** The values when there are any. */
export function some<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length === 0 ? undefined : values;
}

export function showsFaultsOnly({ states }: Pick<ListView, "states">): boolean {
  return states.join() === FAULTS.join();
}

export function toggleFaults<View extends Pick<ListView, "states">>(view: View): View {
  return { ...view, states: showsFaultsOnly(view) ? [] : FAULTS };
}

/** Adds a state in the order of urgency, or takes it away. */
export function toggleState<View extends Pick<ListView, "states">>(view: View, state: State): View {
  const states = view.states.includes(state)
    ? view.states.filter((other) => other !== state)
    : STATES.filter((other) => other === state || view.states.includes(other));
  return { ...view, states };
}

/** One drift alone, or all of them again. */
export function toggleDrift<View extends Pick<ListView, "drift">>(view: View, id: string): View {
  return {
    ...view,
    drift: view.drift === id ? undefined : DRIFTS.find((drift) => drift === id),
  };
}

/** A click on a column's header: first its natural order, then the other way round. */
export function sortedBy<View extends { readonly sort: ListSort<string> }>(
  view: View,
  by: View["sort"]["by"],
): View {
  const descending = view.sort.by === by && !view.sort.descending;
  return { ...view, sort: { by, descending } };
}

/** What each list of a page is given. */
export interface ListProps<View> {
  readonly view: View;
  readonly push: ChangeView<View>;
  readonly replace: ChangeView<View>;
}

/** Keys of rows: each the same function each time, so that a list knows whether its rows have changed. */
export function uidOf({ uid }: { readonly uid: string }): string {
  return uid;
}

export function nameOf({ name }: { readonly name: string }): string {
  return name;
}

export function stateOf<State extends string>({ state }: { readonly state: State }): State {
  return state;
}
