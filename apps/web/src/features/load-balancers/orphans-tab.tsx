"use client";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/panel-states.tsx";
import type { ListProps } from "../lists/list-props.ts";
import { sortedBy, wanted } from "../lists/list-view.ts";
import { LoadedList } from "../lists/loaded-list.tsx";
import { nameOf, stateOf } from "../lists/row-keys.ts";
import { SearchedList } from "../lists/searched-list.tsx";
import { useLoadedRows } from "../lists/use-loaded-rows.ts";
import {
  type BalancersView,
  balancersUrl,
  orphanSort,
  withoutFilters,
} from "./load-balancers-url.ts";
import { orphanColumns } from "./orphan-columns.tsx";

const PAGE_SIZE = 200;
const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

/** What stands in the cloud with this cluster's mark and belongs to no Service any more. */
export function OrphansTab({ cluster, view, push, replace }: ListProps<BalancersView>) {
  const orphans = useOrphans(cluster, view);
  const list = useLoadedRows(orphans, { what: balancersUrl.format(view), keyOf: nameOf });
  const columns = useMemo(() => orphanColumns(cluster), [cluster]);
  return (
    <SearchedList
      things="orphans"
      placeholder="Id, name, address or Service"
      about="In the cloud with this cluster's mark, and without a Service here. They cost money until they are removed."
      view={view}
      replace={replace}
      refetch={orphans.refetch}
    >
      <LoadedList
        label="Orphans"
        list={list}
        thing="orphan"
        isFiltered={wanted(view.text) !== undefined}
        empty={<NoOrphans view={view} push={push} />}
        columns={columns}
        hidden={NOTHING_HIDDEN}
        rowKey={nameOf}
        rowTone={stateOf}
        sort={orphanSort(view)}
        onSort={(by) => push((now) => sortedBy({ ...now, sort: orphanSort(now) }, by))}
        folds="cards"
      />
    </SearchedList>
  );
}

function useOrphans(cluster: string, view: BalancersView) {
  const api = useApi();
  return useInfiniteQuery(
    api.balancers.orphans.infiniteQueryOptions(
      { cluster, filter: { text: wanted(view.text) }, sort: orphanSort(view), limit: PAGE_SIZE },
      { getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData },
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
