"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { TopologyService } from "@cloudwright/store/views/topology";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { CauseText } from "../../components/evidence/sentence-text.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState, Pending, Skeleton } from "../../components/page/panel-states.tsx";
import { SearchBox } from "../../components/search-box.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn } from "../../components/table/columns.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import { RecordLink, stateColumn } from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useFetched } from "../../components/use-fetched.ts";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import { type ListProps, nameOf, stateOf, wanted } from "../../platform/lists/list-view.ts";
import { ViewsMenu } from "../../platform/views/views-menu.tsx";
import { Beside, LayoutButtons, useShownLayout } from "./beside.tsx";
import { listenerText, loadBalancerStatus, membersText } from "./services.ts";
import type { TopologyPageView } from "./topology-url.ts";

const load = () =>
  import("./picture/services-picture.tsx").then(({ ServicesPicture }) => ServicesPicture);

/** Each Service with its load balancer, listeners and members, as a drawing and as a table. */
export function ServicesTab(props: ListProps<TopologyPageView>) {
  const cluster = useClusterId();
  const { view, push, replace } = props;
  const layout = useShownLayout(view);
  const found = useServices(cluster, view, true);
  const ServicesPicture = useFetched(load, layout === "table" ? undefined : true);
  const columns = useMemo(() => serviceColumns(cluster), [cluster]);
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  useShortcuts({ r: () => void found.refetch() });
  const services = found.data?.services;
  return (
    <>
      <div className={page.toolbar}>
        <SearchBox
          label={t`Find Services`}
          placeholder={t`Service, address or load balancer`}
          value={view.text}
          onChange={onText}
        />
        <LayoutButtons layout={view.layout} push={push} />
        <ViewsMenu />
        <ExportMenu
          of={{ list: "topology-services", cluster, filter: { text: wanted(view.text) } }}
        />
      </div>
      {services === undefined ? (
        <Pending isCard query={found} />
      ) : services.length === 0 ? (
        <NoService isSearched={wanted(view.text) !== undefined} push={push} />
      ) : (
        <Beside
          layout={layout}
          picture={
            ServicesPicture === undefined ? <Skeleton /> : <ServicesPicture services={services} />
          }
          table={
            <DataTable
              label={t`Services and what is behind them`}
              columns={columns}
              rows={services}
              total={services.length}
              rowKey={nameOf}
              rowTone={stateOf}
              folds="cards"
            />
          }
        />
      )}
    </>
  );
}

/** Reads the Services that match the search; the previous ones stay until the answer arrives. */
export function useServices(cluster: string, { text }: TopologyPageView, enabled: boolean) {
  const api = useApi();
  const input = { cluster, text: wanted(text) };
  return useQuery(
    api.topology.services.queryOptions(input, { enabled, placeholderData: keepPreviousData }),
  );
}

function NoService({
  isSearched,
  push,
}: Pick<ListProps<TopologyPageView>, "push"> & { readonly isSearched: boolean }) {
  if (isSearched) {
    return (
      <EmptyState title={t`No Service matches this search`}>
        <Button
          onClick={() => push((now) => ({ ...now, text: "" }))}
        >{t`Show all Services`}</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t`No Service of type LoadBalancer`}>
      {t`A Service appears here with its load balancer as soon as the controller has observed
        it.`}
    </EmptyState>
  );
}

function serviceColumns(cluster: string): readonly Column<TopologyService>[] {
  const pageOf = ({ name }: TopologyService) => addresses.balancer(cluster, name);
  return [
    stateColumn<TopologyService>(),
    column(["service", "Service", 200, { pinned: true, narrow: "line", pageOf }], (service) => (
      <RecordLink href={pageOf(service)} name={service.name} />
    )),
    column(["why", t`Why`, 200, { grows: true, folds: true, narrow: "line" }], ({ reason }) =>
      reason === undefined ? null : <CauseText reason={reason} />,
    ),
    column(["balancer", t`Load balancer`, 190, { narrow: "line" }], (service) =>
      service.loadBalancer === undefined ? (
        <span className="second">{t`No load balancer`}</span>
      ) : (
        <>
          <StatusChip status={loadBalancerStatus(service)} quiet />{" "}
          <code>{service.loadBalancer.id}</code>
        </>
      ),
    ),
    textColumn(["listeners", t`Listeners`, 170, { narrow: "line" }], ({ listeners }) =>
      listeners
        .map((each) => (each.differs ? t`${listenerText(each)} (differs)` : listenerText(each)))
        .join(", "),
    ),
    textColumn(["members", t`Members`, 140, { narrow: "second" }], membersText),
  ];
}
