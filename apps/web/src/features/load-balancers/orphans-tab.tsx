"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/panel-states.tsx";
import type { ListProps } from "../../platform/lists/list-props.ts";
import { sortedBy, wanted } from "../../platform/lists/list-view.ts";
import { PAGE_SIZE, PAGED } from "../../platform/lists/paging.ts";
import { nameOf, stateOf } from "../../platform/lists/row-keys.ts";
import { SearchedList } from "../../platform/lists/searched-list.tsx";
import {
  type BalancersView,
  balancersUrl,
  orphanSort,
  withoutFilters,
} from "./load-balancers-url.ts";
import { orphanColumns } from "./orphan-columns.tsx";

/** What stands in the cloud with this cluster's mark and belongs to no Service any more. */
export function OrphansTab({ cluster, view, push, replace }: ListProps<BalancersView>) {
  const orphans = useOrphans(cluster, view);
  const columns = useMemo(() => orphanColumns(cluster), [cluster]);
  return (
    <SearchedList
      label="Orphans"
      thing="orphan"
      things="orphans"
      placeholder="Id, name, address or Service"
      about="In the cloud with this cluster's mark, and without a Service here. They cost money until they are removed."
      view={view}
      url={balancersUrl}
      replace={replace}
      query={orphans}
      empty={<NoOrphans view={view} push={push} />}
      columns={columns}
      rowKey={nameOf}
      rowTone={stateOf}
      sort={orphanSort(view)}
      onSort={(by) => push((now) => sortedBy({ ...now, sort: orphanSort(now) }, by))}
    />
  );
}

function useOrphans(cluster: string, view: BalancersView) {
  const api = useApi();
  return useInfiniteQuery(
    api.balancers.orphans.infiniteQueryOptions(
      { cluster, filter: { text: wanted(view.text) }, sort: orphanSort(view), limit: PAGE_SIZE },
      PAGED,
    ),
  );
}

function NoOrphans({ view, push }: Pick<ListProps<BalancersView>, "view" | "push">) {
  return wanted(view.text) === undefined ? (
    <EmptyState title="No orphans">
      Every load balancer in the cloud that carries this cluster's mark belongs to a Service.
    </EmptyState>
  ) : (
    <EmptyState title="No orphan matches this filter">
      <Button onClick={() => push(withoutFilters)}>Show all orphans</Button>
    </EmptyState>
  );
}
