"use client";
import type { BalancerRow, BalancerView } from "@cloudwright/store/views/balancers";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { DriftChip, StateChip } from "../../components/just-changed/record-chips.tsx";
import { EmptyState, Pending } from "../../components/page/panel-states.tsx";
import { PeekPanel } from "../../components/peek-panel/peek-panel.tsx";
import { firstPageOf } from "../../components/table/pages.ts";
import { addresses } from "../../components/url/addresses.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { serviceAction } from "../../platform/actions/action-choice.ts";
import type { ListProps } from "../../platform/lists/list-view.ts";
import { PAGE_SIZE, PAGED } from "../../platform/lists/paging.ts";
import {
  type BesideProps,
  type RecordListOf,
  RecordSection,
} from "../../platform/lists/record-list.tsx";
import { balancerColumns } from "./balancer-columns.tsx";
import { shownDrift } from "./detail/aspects.ts";
import { BalancerDiagnosis, BalancerFactsLine } from "./detail/balancer-facts-line.tsx";
import { type BalancersView, balancersUrl } from "./load-balancers-url.ts";

export function ServicesTab(props: ListProps<BalancersView>) {
  const { cluster, view } = props;
  const api = useApi();
  const balancers = useInfiniteQuery(
    api.balancers.list.infiniteQueryOptions(
      { cluster, filter: balancersUrl.filter(view), sort: view.sort, limit: PAGE_SIZE },
      PAGED,
    ),
  );
  const counts = firstPageOf(balancers.data)?.counts.states;
  return <RecordSection {...props} list={SERVICES} query={balancers} counts={counts} />;
}

const SERVICES: RecordListOf<BalancerRow, BalancersView> = {
  ...{ label: "Load balancers", thing: "load balancer", of: "services", table: "load-balancers" },
  url: balancersUrl,
  placeholder: "Service, address or id",
  columns: balancerColumns,
  folds: "always",
  retryOf: ({ name, uid }, cluster) => serviceAction({ cluster, service: name, uid }, "retry"),
  none: (
    <EmptyState title="No load balancer yet">
      A Service appears here as soon as it is of type <code>LoadBalancer</code> and the controller
      has looked at it.
    </EmptyState>
  ),
  beside: (row) => <BalancerPeek {...row} />,
};

/** What the page of a Service's load balancer says first, and the way to act. */
function BalancerPeek({ cluster, name: service, onClose }: BesideProps) {
  const api = useApi();
  const [namespace = "", name = ""] = service.split("/");
  const balancer = useQuery(api.balancers.byName.queryOptions({ cluster, namespace, name }));
  return (
    <PeekPanel title={service} href={addresses.balancer(cluster, service)} onClose={onClose}>
      {balancer.data === undefined ? (
        <Pending query={balancer} lines={6} />
      ) : (
        <Summary cluster={cluster} balancer={balancer.data} />
      )}
    </PeekPanel>
  );
}

function Summary({
  cluster,
  balancer,
}: {
  readonly cluster: string;
  readonly balancer: BalancerView;
}) {
  const { row, goneAt } = balancer;
  const target = { cluster, service: row.name, uid: row.uid };
  return (
    <>
      <div className="buttons centred apart">
        <StateChip of={row.uid} state={row.state} since={row.since} prominent />
        <DriftChip of={row.uid} drift={shownDrift(balancer)} />
        {goneAt === undefined ? (
          <ActionButton choice={serviceAction(target, "retry")} look="primary">
            Retry now
          </ActionButton>
        ) : null}
      </div>
      <BalancerDiagnosis balancer={balancer} />
      <BalancerFactsLine balancer={balancer} />
    </>
  );
}
