"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { LoadBalancerRow } from "@cloudwright/store/views/load-balancers";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { mixed } from "../../components/language/mixed-text.ts";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { firstPageOf } from "../../components/table/pages.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { serviceAction } from "../../platform/actions/action-choice.ts";
import type { ListProps } from "../../platform/lists/list-view.ts";
import { type RecordListOf, RecordSection } from "../../platform/lists/record-list.tsx";
import { PAGE_SIZES, PAGED } from "../../platform/lists/use-loaded-rows.ts";
import { loadBalancerColumns } from "./load-balancer-columns.tsx";
import { type LoadBalancersView, loadBalancersUrl } from "./load-balancers-url.ts";

export function ServicesTab(props: ListProps<LoadBalancersView>) {
  const cluster = useClusterId();
  const { view } = props;
  const api = useApi();
  const loadBalancers = useInfiniteQuery(
    api.balancers.list.infiniteQueryOptions(
      { cluster, filter: loadBalancersUrl.filter(view), sort: view.sort, ...PAGE_SIZES },
      PAGED,
    ),
  );
  const counts = firstPageOf(loadBalancers.data)?.counts.states;
  return <RecordSection {...props} list={SERVICES} query={loadBalancers} counts={counts} />;
}

const SERVICES: RecordListOf<LoadBalancerRow, LoadBalancersView> = {
  get label() {
    return t`Load balancers`;
  },
  thing: "load balancer",
  of: "services",
  table: "load-balancers",
  url: loadBalancersUrl,
  get placeholder() {
    return t`Service, address or ID`;
  },
  columns: loadBalancerColumns,
  folds: "always",
  retryOf: ({ name, uid }, cluster) => serviceAction({ cluster, service: name, uid }, "retry"),
  get none() {
    return (
      <EmptyState title={t`No load balancer yet`}>
        {mixed`A Service appears here as soon as it is of type ${<code>LoadBalancer</code>} and the
        controller has observed it.`}
      </EmptyState>
    );
  },
  beside: () => import("./load-balancer-peek.tsx").then((part) => part.LoadBalancerPeek),
};
