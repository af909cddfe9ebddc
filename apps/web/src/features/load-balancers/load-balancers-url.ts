import {
  BALANCER_SORTS,
  type BalancerSort,
  type BalancersFilter,
  ORPHAN_SORTS,
  type OrphanSort,
} from "@cloudwright/store/views/balancers";
import { readChoices, writeParams } from "../../components/url/search-params.ts";
import {
  type ListSort,
  type ListView,
  listFilter,
  listParams,
  listUrl,
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
export const balancersUrl = listUrl<BalancersView, BalancersFilter>(
  {
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
  },
  { filter: listFilter, stays: ({ view }) => ({ view }) },
);

/** The other list; a text that is looked for in one means little in the other. */
export function withView(view: BalancersView, chosen: BalancersTab): BalancersView {
  return { ...balancersUrl.withoutFilters(view), sort: WORST_FIRST, peek: undefined, view: chosen };
}

/** Orphans have an order of their own; what they cannot be sorted by leaves the oldest first. */
export function orphanSort({ sort }: BalancersView): ListSort<OrphanSort> {
  const by = ORPHAN_SORTS.find((known) => known === sort.by);
  return by === undefined ? { by: "since", descending: false } : { ...sort, by };
}
