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

/** The address of every list of managed objects: nodes, load balancers, routes, volumes. */
export interface ListView<Sort extends string = string> {
  readonly text: string;
  readonly states: readonly State[];
  readonly drift: Drift | undefined;
  /** Only those in their state for this reason; the Overview links here. */
  readonly reason: string | undefined;
  readonly sort: ListSort<Sort>;
  /** The row open beside the list. */
  readonly peek: string | undefined;
}

export interface ListSort<Sort extends string> {
  readonly by: Sort;
  readonly descending: boolean;
}

/** The states that need a user or hide the truth; the key `f` shows only these. */
export const FAULTS: readonly State[] = ["stuck", "unknown"];

/** The default order of a list. */
export const WORST_FIRST = { by: "state", descending: false } as const;

/** The parameters of a list, those that say what is listed first. */
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

/** Builds the shared part of the server's filter, without empty members. */
export function listFilter({ text, states, drift, reason }: Omit<ListView, "sort" | "peek">) {
  return { text: wanted(text), states: some(states), drift, reason };
}

/** The codec of a list's address, and what follows from it. */
export interface ListUrl<View, Filter extends object = object> extends UrlCodec<View> {
  /** Builds the server's filter for a view, without empty members. */
  readonly filter: (view: View) => Filter;
  /** Reports whether the filter leaves any rows out. */
  readonly isFiltered: (view: View) => boolean;
  /** Returns the view of all rows; its order and the row open beside it stay. */
  readonly withoutFilters: (view: View) => View;
}

type OwnParams<View extends ListView> = {
  readonly [Member in Exclude<keyof View, keyof ListView>]?: Param<View[Member]>;
};

interface ListUrlOf<View extends ListView, Filter extends object> {
  /** The sort keys besides the state. */
  readonly sorts: readonly View["sort"]["by"][];
  /** The parameters that say what is listed, and in which layout. */
  readonly listed?: OwnParams<View>;
  /** The filters that only this list has. */
  readonly own?: OwnParams<View>;
  readonly filter: (view: View) => Filter;
  /** The members of a view, besides order and open row, that are not filters. */
  readonly stays?: (view: View) => Partial<View>;
}

/** Builds the codec of such a list from its own parameters. */
export function listUrl<View extends ListView, Filter extends object>({
  sorts,
  listed = {},
  own = {},
  filter,
  stays = () => ({}),
}: ListUrlOf<View, Filter>): ListUrl<View, Filter> {
  // The members of a view are those of all lists plus those named here.
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

/** Trims a text; undefined if nothing is left. */
export function wanted(text: string): string | undefined {
  return text.trim() === "" ? undefined : text.trim();
}

/** Returns the values, or undefined if there are none. */
export function some<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length === 0 ? undefined : values;
}

export function showsFaultsOnly({ states }: Pick<ListView, "states">): boolean {
  return states.join() === FAULTS.join();
}

export function toggleFaults<View extends Pick<ListView, "states">>(view: View): View {
  return { ...view, states: showsFaultsOnly(view) ? [] : FAULTS };
}

/** Adds a state in the order of urgency, or removes it. */
export function toggleState<View extends Pick<ListView, "states">>(view: View, state: State): View {
  const states = view.states.includes(state)
    ? view.states.filter((other) => other !== state)
    : STATES.filter((other) => other === state || view.states.includes(other));
  return { ...view, states };
}

/** Selects one drift, or all again. */
export function toggleDrift<View extends Pick<ListView, "drift">>(view: View, id: string): View {
  return {
    ...view,
    drift: view.drift === id ? undefined : DRIFTS.find((drift) => drift === id),
  };
}

/** A click on a column header sorts by its natural order first, then in reverse. */
export function sortedBy<View extends { readonly sort: ListSort<string> }>(
  view: View,
  by: View["sort"]["by"],
): View {
  const descending = view.sort.by === by && !view.sort.descending;
  return { ...view, sort: { by, descending } };
}

/** The props of each list on a page. */
export interface ListProps<View> {
  readonly view: View;
  readonly push: ChangeView<View>;
  readonly replace: ChangeView<View>;
}

/** Keys rows by UID. It must be the same function on each render, so that a list knows whether its rows have changed. */
export function uidOf({ uid }: { readonly uid: string }): string {
  return uid;
}

export function nameOf({ name }: { readonly name: string }): string {
  return name;
}

export function stateOf<State extends string>({ state }: { readonly state: State }): State {
  return state;
}
