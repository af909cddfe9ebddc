"use client";
import type { LoadBalancerRow, LoadBalancerView } from "@cloudwright/store/views/load-balancers";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { DriftChip, StateChip } from "../../components/just-changed/record-chips.tsx";
import { EmptyState, Pending } from "../../components/page/panel-states.tsx";
import { PeekPanel } from "../../components/peek-panel/peek-panel.tsx";
import { firstPageOf } from "../../components/table/pages.ts";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { serviceAction } from "../../platform/actions/action-choice.ts";
import type { ListProps } from "../../platform/lists/list-view.ts";
import {
  type BesideProps,
  type RecordListOf,
  RecordSection,
} from "../../platform/lists/record-list.tsx";
import { PAGE_SIZE, PAGED } from "../../platform/lists/use-loaded-rows.ts";
import { shownDrift } from "./detail/aspects.ts";
import { LoadBalancerDiagnosis, LoadBalancerFactsLine } from "./detail/load-balancer-header.tsx";
import { loadBalancerColumns } from "./load-balancer-columns.tsx";
import { type LoadBalancersView, loadBalancersUrl } from "./load-balancers-url.ts";

export function ServicesTab(props: ListProps<LoadBalancersView>) {
  const cluster = useClusterId();
  const { view } = props;
  const api = useApi();
  const loadBalancers = useInfiniteQuery(
    api.balancers.list.infiniteQueryOptions(
      { cluster, filter: loadBalancersUrl.filter(view), sort: view.sort, limit: PAGE_SIZE },
      PAGED,
    ),
  );
  const counts = firstPageOf(loadBalancers.data)?.counts.states;
  return <RecordSection {...props} list={SERVICES} query={loadBalancers} counts={counts} />;
}

const SERVICES: RecordListOf<LoadBalancerRow, LoadBalancersView> = {
  ...{ label: "Load balancers", thing: "load balancer", of: "services", table: "load-balancers" },
  url: loadBalancersUrl,
  placeholder: "Service, address or id",
  columns: loadBalancerColumns,
  folds: "always",
  retryOf: ({ name, uid }, cluster) => serviceAction({ cluster, service: name, uid }, "retry"),
  none: (
    <EmptyState title="No load balancer yet">
      A Service appears here as soon as it is of type <code>LoadBalancer</code> and the controller
      has observed it.
    </EmptyState>
  ),
  beside: (row) => <LoadBalancerPeek {...row} />,
};

/** What the page of a Service's load balancer says first, and the way to act. */
function LoadBalancerPeek({ name: service, onClose }: BesideProps) {
  const cluster = useClusterId();
  const api = useApi();
  const [namespace = "", name = ""] = service.split("/");
  const loadBalancer = useQuery(api.balancers.byName.queryOptions({ cluster, namespace, name }));
  return (
    <PeekPanel title={service} href={addresses.balancer(cluster, service)} onClose={onClose}>
      {loadBalancer.data === undefined ? (
        <Pending query={loadBalancer} lines={6} />
      ) : (
        <Summary loadBalancer={loadBalancer.data} />
      )}
    </PeekPanel>
  );
}

function Summary({ loadBalancer }: { readonly loadBalancer: LoadBalancerView }) {
  const cluster = useClusterId();
  const { row, goneAt } = loadBalancer;
  const target = { cluster, service: row.name, uid: row.uid };
  return (
    <>
      <div className="buttons centred apart">
        <StateChip of={row.uid} state={row.state} since={row.since} prominent />
        <DriftChip of={row.uid} drift={shownDrift(loadBalancer)} />
        {goneAt === undefined ? (
          <ActionButton choice={serviceAction(target, "retry")} appearance="primary" />
        ) : null}
      </div>
      <LoadBalancerDiagnosis loadBalancer={loadBalancer} />
      <LoadBalancerFactsLine loadBalancer={loadBalancer} />
    </>
  );
}
