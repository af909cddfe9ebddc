"use client";
import type { BalancerRow, BalancerView } from "@cloudwright/store/balancer-views";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button.tsx";
import { ColumnsMenu } from "../../components/columns-menu.tsx";
import { DriftChip, StateChip } from "../../components/just-changed/record-chips.tsx";
import page from "../../components/page.module.css";
import { EmptyState, Pending } from "../../components/panel-states.tsx";
import { PeekPanel } from "../../components/peek-panel/peek-panel.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import { firstPageOf } from "../../components/table/pages.ts";
import { addresses } from "../../components/url/addresses.ts";
import type { ChangeView } from "../../components/url/use-url-state.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { serviceAction } from "../../platform/actions/action-choice.ts";
import type { ListProps } from "../../platform/lists/list-props.ts";
import { ListToolbar } from "../../platform/lists/list-toolbar.tsx";
import { toggleFaults, toggleState } from "../../platform/lists/list-view.ts";
import { PAGE_SIZE, PAGED } from "../../platform/lists/paging.ts";
import { RecordList } from "../../platform/lists/record-list.tsx";
import { StateCounters } from "../../platform/lists/state-counters.tsx";
import { balancerColumns } from "./balancer-columns.tsx";
import { shownDrift } from "./detail/aspects.ts";
import { BalancerDiagnosis, BalancerFactsLine } from "./detail/balancer-facts-line.tsx";
import styles from "./load-balancers.module.css";
import {
  type BalancersView,
  balancersFilter,
  balancersUrl,
  isFiltered,
  withoutFilters,
} from "./load-balancers-url.ts";

export function ServicesTab(props: ListProps<BalancersView>) {
  const { cluster, view, push, replace } = props;
  const balancers = useBalancers(cluster, view);
  useShortcuts({ f: () => push(toggleFaults), r: () => void balancers.refetch() });
  return (
    <>
      <StateCounters
        counts={firstPageOf(balancers.data)?.counts.states}
        chosen={view.states}
        onToggle={(state) => push((now) => toggleState(now, state))}
      />
      <ListToolbar
        things="load balancers"
        placeholder="Service, address or id"
        view={view}
        push={push}
        replace={replace}
        onClear={isFiltered(view) ? () => push(withoutFilters) : undefined}
        layout={<ColumnsMenu table="load-balancers" columns={balancerColumns(cluster)} />}
      />
      <div className={page.tableCard}>
        <ServicesList {...props} balancers={balancers} />
      </div>
    </>
  );
}

function useBalancers(cluster: string, view: BalancersView) {
  const api = useApi();
  return useInfiniteQuery(
    api.balancers.list.infiniteQueryOptions(
      { cluster, filter: balancersFilter(view), sort: view.sort, limit: PAGE_SIZE },
      PAGED,
    ),
  );
}

function ServicesList({
  balancers,
  ...props
}: ListProps<BalancersView> & { readonly balancers: ReturnType<typeof useBalancers> }) {
  const { cluster, view, push } = props;
  const columns = useMemo(() => balancerColumns(cluster), [cluster]);
  const retryOf = useCallback(
    ({ name, uid }: BalancerRow) => serviceAction({ cluster, service: name, uid }, "retry"),
    [cluster],
  );
  return (
    <RecordList
      {...props}
      label="Load balancers"
      thing="load balancer"
      of="services"
      table="load-balancers"
      query={balancers}
      url={balancersUrl}
      isFiltered={isFiltered(view)}
      columns={columns}
      folds="always"
      retryOf={retryOf}
      empty={<NoServices view={view} push={push} />}
      beside={(service, onClose) => (
        <BalancerPeek cluster={cluster} service={service} onClose={onClose} />
      )}
    />
  );
}

function NoServices({
  view,
  push,
}: {
  readonly view: BalancersView;
  readonly push: ChangeView<BalancersView>;
}) {
  if (!isFiltered(view)) {
    return (
      <EmptyState title="No load balancer yet">
        A Service appears here as soon as it is of type <code>LoadBalancer</code> and the controller
        has looked at it.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No load balancer matches this filter">
      <Button onClick={() => push(withoutFilters)}>Show all load balancers</Button>
    </EmptyState>
  );
}

/** What the page of a Service's load balancer says first, and the way to act. */
function BalancerPeek({
  cluster,
  service,
  onClose,
}: {
  readonly cluster: string;
  /** `namespace/name`. */
  readonly service: string;
  readonly onClose: () => void;
}) {
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
      <div className={styles.state}>
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
