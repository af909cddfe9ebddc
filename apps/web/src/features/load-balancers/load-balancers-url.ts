import {
  LOAD_BALANCER_SORTS,
  type LoadBalancerSort,
  type LoadBalancersFilter,
  ORPHAN_SORTS,
  type OrphanSort,
} from "@cloudwright/store/views/load-balancers";
import { choiceParam } from "../../components/url/url-codec.ts";
import {
  type ListSort,
  type ListView,
  listFilter,
  listUrl,
  WORST_FIRST,
} from "../../platform/lists/list-view.ts";

const LOAD_BALANCER_VIEWS = ["services", "orphans"] as const;
export type LoadBalancersTab = (typeof LOAD_BALANCER_VIEWS)[number];

/** A Service is opened beside the list by its `namespace/name`. */
export interface LoadBalancersView extends ListView<LoadBalancerSort> {
  readonly view: LoadBalancersTab;
}

/** The address of a view: `?q=shop/&state=stuck&drift=drifted&sort=-changed`, or `?view=orphans`. */
export const loadBalancersUrl = listUrl<LoadBalancersView, LoadBalancersFilter>({
  sorts: LOAD_BALANCER_SORTS,
  listed: { view: choiceParam("view", LOAD_BALANCER_VIEWS, "services") },
  filter: listFilter,
  stays: ({ view }) => ({ view }),
});

/** Switches to the other list; a search text for one means little in the other. */
export function withView(view: LoadBalancersView, chosen: LoadBalancersTab): LoadBalancersView {
  return {
    ...loadBalancersUrl.withoutFilters(view),
    sort: WORST_FIRST,
    peek: undefined,
    view: chosen,
  };
}

/** Orphans have their own sort keys; for an unknown key, the oldest come first. */
export function orphanSort({ sort }: LoadBalancersView): ListSort<OrphanSort> {
  const by = ORPHAN_SORTS.find((known) => known === sort.by);
  return by === undefined ? { by: "since", descending: false } : { ...sort, by };
}
