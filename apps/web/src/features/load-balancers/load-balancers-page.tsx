"use client";
import type { LoadBalancerCounts } from "@cloudwright/store/views/load-balancers";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import page from "../../components/page/page.module.css";
import { DroppedNote, PageHead } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { type Tab, Tabs } from "../../components/page/tabs.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { useUrlState } from "../../components/url/use-url-state.ts";
import {
  type ListProps,
  nameOf,
  sortedBy,
  stateOf,
  wanted,
} from "../../platform/lists/list-view.ts";
import { PAGE_SIZE, PAGED } from "../../platform/lists/paging.ts";
import { SearchedList } from "../../platform/lists/searched-list.tsx";
import { useCluster, useHealth } from "../../platform/live/use-cluster.ts";
import { loadBalancersSentence } from "./load-balancers-sentence.ts";
import {
  type LoadBalancersTab,
  type LoadBalancersView,
  loadBalancersUrl,
  orphanSort,
  withView,
} from "./load-balancers-url.ts";
import { orphanColumns } from "./orphan-columns.tsx";
import { ServicesTab } from "./services-tab.tsx";

/** Every Service with its load balancer, and the load balancers that have none (UX brief, section 6). */
export function LoadBalancersPage({ cluster }: { readonly cluster: string }) {
  const { view, dropped, push, replace } = useUrlState(loadBalancersUrl);
  const counts = useCluster(cluster).data?.balancers;
  const { alarms } = useHealth(cluster, ["Service"]);
  return (
    <div className={page.page}>
      <PageHead
        title="Load balancers"
        alarm={alarms}
        sentence={counts === undefined ? undefined : loadBalancersSentence(counts)}
      />
      <DroppedNote dropped={dropped} />
      <Tabs
        label="Lists"
        tabs={tabsOf(counts)}
        current={view.view}
        onChange={(chosen) => push((now) => withView(now, chosen))}
      >
        {view.view === "orphans" ? (
          <OrphansTab cluster={cluster} view={view} push={push} replace={replace} />
        ) : (
          <ServicesTab cluster={cluster} view={view} push={push} replace={replace} />
        )}
      </Tabs>
    </div>
  );
}

function tabsOf(counts: LoadBalancerCounts | undefined): readonly Tab<LoadBalancersTab>[] {
  const orphans = counts?.orphans ?? 0;
  return [
    { id: "services", label: "Services" },
    { id: "orphans", label: "Orphans", note: orphans === 0 ? undefined : formatCount(orphans) },
  ];
}

/** What stands in the cloud with this cluster's mark and belongs to no Service any more. */
function OrphansTab({ cluster, view, push, replace }: ListProps<LoadBalancersView>) {
  const orphans = useOrphans(cluster, view);
  const columns = useMemo(() => orphanColumns(cluster), [cluster]);
  return (
    <SearchedList
      label="Orphans"
      thing="orphan"
      filter="Filter orphans"
      placeholder="Id, name, address or Service"
      about="Load balancers in the cloud that this cluster owns and no Service here uses. They cost money until they are removed."
      view={view}
      url={loadBalancersUrl}
      {...{ push, replace }}
      query={orphans}
      none={
        <EmptyState title="No orphans">
          Every load balancer in the cloud that this cluster owns belongs to a Service.
        </EmptyState>
      }
      columns={columns}
      rowKey={nameOf}
      rowTone={stateOf}
      sort={orphanSort(view)}
      onSort={(by) => push((now) => sortedBy({ ...now, sort: orphanSort(now) }, by))}
    />
  );
}

function useOrphans(cluster: string, view: LoadBalancersView) {
  const api = useApi();
  return useInfiniteQuery(
    api.balancers.orphans.infiniteQueryOptions(
      { cluster, filter: { text: wanted(view.text) }, sort: orphanSort(view), limit: PAGE_SIZE },
      PAGED,
    ),
  );
}
