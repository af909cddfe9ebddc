"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { LoadBalancerCounts } from "@cloudwright/store/views/load-balancers";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import page from "../../components/page/page.module.css";
import { DroppedNote, PageHead } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { type Tab, Tabs } from "../../components/page/tabs.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { useClusterId, useUrlState } from "../../components/url/use-url-state.ts";
import { UnreadActions } from "../../platform/actions/unread-actions.tsx";
import {
  type ListProps,
  nameOf,
  sortedBy,
  stateOf,
  wanted,
} from "../../platform/lists/list-view.ts";
import { SearchedList } from "../../platform/lists/searched-list.tsx";
import { PAGE_SIZES, PAGED } from "../../platform/lists/use-loaded-rows.ts";
import { useCluster, useHealth } from "../../platform/live/use-cluster.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";
import {
  type LoadBalancersTab,
  type LoadBalancersView,
  loadBalancersUrl,
  orphanSort,
  withView,
} from "./load-balancers-url.ts";
import { orphanColumns } from "./orphan-columns.tsx";
import { ServicesTab } from "./services-tab.tsx";

/** Every Service with its load balancer, and the load balancers without a Service (UX brief, section 6). */
export function LoadBalancersPage() {
  const cluster = useClusterId();
  const { view, dropped, push, replace } = useUrlState(loadBalancersUrl);
  const counts = useCluster(cluster).data?.balancers;
  const { alarms } = useHealth(cluster, ["Service"]);
  return (
    <div className={page.page}>
      <PageHead
        title={t`Load balancers`}
        alarm={alarms}
        sentence={counts === undefined ? undefined : loadBalancersSentence(counts)}
      />
      <DroppedNote dropped={dropped} />
      <Tabs
        label={t`Lists`}
        tabs={tabsOf(counts)}
        current={view.view}
        onChange={(chosen) => push((now) => withView(now, chosen))}
      >
        {view.view === "orphans" ? (
          <OrphansTab view={view} push={push} replace={replace} />
        ) : (
          <ServicesTab view={view} push={push} replace={replace} />
        )}
      </Tabs>
    </div>
  );
}

function tabsOf(counts: LoadBalancerCounts | undefined): readonly Tab<LoadBalancersTab>[] {
  const orphans = counts?.orphans ?? 0;
  return [
    { id: "services", label: t`Services` },
    { id: "orphans", label: t`Orphans`, note: orphans === 0 ? undefined : formatCount(orphans) },
  ];
}

/** Load balancers in the cloud that this cluster owns but that no longer belong to a Service. */
function OrphansTab({ view, push, replace }: ListProps<LoadBalancersView>) {
  const cluster = useClusterId();
  const orphans = useOrphans(cluster, view);
  const columns = useMemo(() => orphanColumns(), []);
  return (
    <>
      <UnreadActions list={orphans.data} />
      <SearchedList
        label={t`Orphans`}
        thing="orphan"
        filter={t`Filter orphans`}
        placeholder={t`ID, name, address or Service`}
        about={t`Load balancers in the cloud that this cluster owns and no Service here uses. They cost money until they are removed.`}
        view={view}
        url={loadBalancersUrl}
        {...{ push, replace }}
        query={orphans}
        table="orphans"
        exported={orphansAsked(view)}
        none={
          <EmptyState title={t`No orphans`}>
            {t`Every load balancer in the cloud that this cluster owns belongs to a Service.`}
          </EmptyState>
        }
        columns={columns}
        rowKey={nameOf}
        rowTone={stateOf}
        sort={orphanSort(view)}
        onSort={(by) => push((now) => sortedBy({ ...now, sort: orphanSort(now) }, by))}
      />
    </>
  );
}

function useOrphans(cluster: string, view: LoadBalancersView) {
  const api = useApi();
  return useInfiniteQuery(
    api.balancers.orphans.infiniteQueryOptions(
      { cluster, ...orphansAsked(view), ...PAGE_SIZES },
      PAGED,
    ),
  );
}

function orphansAsked(view: LoadBalancersView) {
  return { filter: { text: wanted(view.text) }, sort: orphanSort(view) };
}

/** Words the page's summary: how many load balancers need a user, otherwise that all is well. */
export function loadBalancersSentence(counts: LoadBalancerCounts): string {
  return [stateSentence(counts), driftSentence(counts), orphanSentence(counts)]
    .filter((part) => part !== "")
    .join(" ");
}

function stateSentence({ states, orphansStuck }: LoadBalancerCounts): string {
  const all = presentNodes(states);
  const stuck = states.stuck + orphansStuck;
  if (stuck > 0) {
    return stuck === 1
      ? t`1 load balancer needs you.`
      : t`${formatCount(stuck)} load balancers need you.`;
  }
  if (all === 0) return t`No Service of type LoadBalancer has been seen in this cluster yet.`;
  if (states.ok === all) {
    return all === 1
      ? t`The one load balancer is OK.`
      : t`All ${formatCount(all)} load balancers are OK.`;
  }
  return states.ok === 1
    ? t`No load balancer needs you. 1 of ${formatCount(all)} is OK.`
    : t`No load balancer needs you. ${formatCount(states.ok)} of ${formatCount(all)} are OK.`;
}

function driftSentence({ drifted }: LoadBalancerCounts): string {
  if (drifted === 0) return "";
  return drifted === 1
    ? t`1 is not in sync in the cloud.`
    : t`${formatCount(drifted)} are not in sync in the cloud.`;
}

function orphanSentence({ orphans }: LoadBalancerCounts): string {
  if (orphans === 0) return "";
  return orphans === 1
    ? t`1 in the cloud has no Service.`
    : t`${formatCount(orphans)} in the cloud have no Service.`;
}
