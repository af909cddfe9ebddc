import { type ReasonCode, reasonSchema } from "@cloudwright/core/model/reason";
import { DRIFTS, type Drift, STATES, type State } from "@cloudwright/core/model/state";
import {
  BALANCER_SORTS,
  type BalancerSort,
  type BalancersFilter,
  ORPHAN_SORTS,
  type OrphanSort,
} from "@cloudwright/store/balancer-views";
import {
  readChoices,
  readSort,
  readText,
  writeParams,
} from "../../components/url/search-params.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";

export const BALANCER_VIEWS = ["services", "orphans"] as const;
export type BalancersTab = (typeof BALANCER_VIEWS)[number];

export interface BalancersView {
  readonly view: BalancersTab;
  readonly text: string;
  readonly states: readonly State[];
  readonly drift: Drift | undefined;
  /** Only those that are as they are for this reason; the Overview leads there. */
  readonly reason: ReasonCode | undefined;
  readonly sort: { readonly by: BalancerSort; readonly descending: boolean };
  /** `namespace/name` of the Service that is looked at beside the list. */
  readonly peek: string | undefined;
}

/** What needs a person or hides the truth; the key `f` shows only these. */
export const FAULTS: readonly State[] = ["stuck", "unknown"];

const WORST_FIRST: BalancersView["sort"] = { by: "state", descending: false };
const KNOWN = ["view", "q", "state", "drift", "reason", "sort", "peek"];
const REASONS: readonly ReasonCode[] = reasonSchema.options.map(
  (option) => option.unwrap().shape.code.value,
);

/** The address of a view: `?q=shop/&state=stuck&drift=drifted&sort=-changed`, or `?view=orphans`. */
export const balancersUrl: UrlCodec<BalancersView> = {
  parse(params) {
    const views = readChoices(params.get("view"), BALANCER_VIEWS);
    const states = readChoices(params.get("state"), STATES);
    const drifts = readChoices(params.get("drift"), DRIFTS);
    const reasons = readChoices(params.get("reason"), REASONS);
    const sort = readSort(params.get("sort"), BALANCER_SORTS);
    return {
      view: {
        view: views.values[0] ?? "services",
        text: params.get("q") ?? "",
        states: states.values,
        drift: drifts.values[0],
        reason: reasons.values[0],
        sort: sort ?? WORST_FIRST,
        peek: readText(params.get("peek")),
      },
      dropped: [
        ...[views, states, drifts, reasons].flatMap(({ dropped }) => dropped),
        ...(params.has("sort") && sort === undefined ? [params.get("sort") ?? ""] : []),
        ...[...params.keys()].filter((name) => !KNOWN.includes(name)),
      ],
    };
  },
  format({ view, text, states, drift, reason, sort, peek }) {
    const plain = sort.by === WORST_FIRST.by && !sort.descending;
    return writeParams({
      view: view === "services" ? undefined : view,
      q: text,
      state: states.join(","),
      drift,
      reason,
      sort: plain ? undefined : `${sort.descending ? "-" : ""}${sort.by}`,
      peek,
    });
  },
};

/** The view as the server's filter: what is empty is not asked for. */
export function balancersFilter({ text, states, drift, reason }: BalancersView): BalancersFilter {
  return {
    text: wanted(text),
    states: states.length === 0 ? undefined : states,
    drift,
    reason,
  };
}

export function wanted(text: string): string | undefined {
  return text.trim() === "" ? undefined : text.trim();
}

export function isFiltered(view: BalancersView): boolean {
  return Object.values(balancersFilter(view)).some((value) => value !== undefined);
}

export function withoutFilters(view: BalancersView): BalancersView {
  const plain = balancersUrl.parse(new URLSearchParams()).view;
  return { ...plain, view: view.view, sort: view.sort, peek: view.peek };
}

/** The other list; a text that is looked for in one means little in the other. */
export function withView(view: BalancersView, chosen: BalancersTab): BalancersView {
  return { ...withoutFilters(view), sort: WORST_FIRST, peek: undefined, view: chosen };
}

export function toggleFaults(view: BalancersView): BalancersView {
  const on = view.states.join() === FAULTS.join();
  return { ...view, states: on ? [] : FAULTS };
}

export function toggleState(view: BalancersView, state: State): BalancersView {
  const states = view.states.includes(state)
    ? view.states.filter((other) => other !== state)
    : STATES.filter((other) => other === state || view.states.includes(other));
  return { ...view, states };
}

/** A click on a column's header: first its natural order, then the other way round. */
export function sortedBy(view: BalancersView, by: BalancerSort): BalancersView {
  const descending = view.sort.by === by && !view.sort.descending;
  return { ...view, sort: { by, descending } };
}

/** Orphans have an order of their own; what they cannot be sorted by leaves the oldest first. */
export function orphanSort({ sort }: BalancersView): {
  readonly by: OrphanSort;
  readonly descending: boolean;
} {
  const by = ORPHAN_SORTS.find((known) => known === sort.by);
  return by === undefined ? { by: "since", descending: false } : { ...sort, by };
}
