import {
  BALANCER_SORTS,
  type BalancerSort,
  type BalancersFilter,
  ORPHAN_SORTS,
  type OrphanSort,
} from "@cloudwright/store/balancer-views";
import { readChoices, writeParams } from "../../components/url/search-params.ts";
import type { UrlCodec } from "../../components/url/use-url-state.ts";
import {
  isAnyWanted,
  type ListSort,
  type ListView,
  listFilter,
  listParams,
  readListView,
  WORST_FIRST,
} from "../../platform/lists/list-view.ts";

export const BALANCER_VIEWS = ["services", "orphans"] as const;
export type BalancersTab = (typeof BALANCER_VIEWS)[number];

/** Beside the list a Service is looked at by its `namespace/name`. */
export interface BalancersView extends ListView<BalancerSort> {
  readonly view: BalancersTab;
}

/** The address of a view: `?q=shop/&state=stuck&drift=drifted&sort=-changed`, or `?view=orphans`. */
export const balancersUrl: UrlCodec<BalancersView> = {
  parse(params) {
    const views = readChoices(params.get("view"), BALANCER_VIEWS);
    const shared = readListView(params, { sorts: BALANCER_SORTS, own: ["view"] });
    return {
      view: { ...shared.view, view: views.values[0] ?? "services" },
      dropped: [...views.dropped, ...shared.dropped],
    };
  },
  format: (view) =>
    writeParams({ view: view.view === "services" ? undefined : view.view, ...listParams(view) }),
};

/** The view as the server's filter: what is empty is not asked for. */
export function balancersFilter(view: BalancersView): BalancersFilter {
  return listFilter(view);
}

export function isFiltered(view: BalancersView): boolean {
  return isAnyWanted(balancersFilter(view));
}

export function withoutFilters({ view, sort, peek }: BalancersView): BalancersView {
  return { ...balancersUrl.parse(new URLSearchParams()).view, view, sort, peek };
}

/** The other list; a text that is looked for in one means little in the other. */
export function withView(view: BalancersView, chosen: BalancersTab): BalancersView {
  return { ...withoutFilters(view), sort: WORST_FIRST, peek: undefined, view: chosen };
}

/** Orphans have an order of their own; what they cannot be sorted by leaves the oldest first. */
export function orphanSort({ sort }: BalancersView): ListSort<OrphanSort> {
  const by = ORPHAN_SORTS.find((known) => known === sort.by);
  return by === undefined ? { by: "since", descending: false } : { ...sort, by };
}
