"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/panel-states.tsx";
import type { ListProps } from "../../platform/lists/list-props.ts";
import { wanted } from "../../platform/lists/list-view.ts";
import { PAGE_SIZE, PAGED } from "../../platform/lists/paging.ts";
import { nameOf, stateOf } from "../../platform/lists/row-keys.ts";
import { SearchedList } from "../../platform/lists/searched-list.tsx";
import { useTables } from "../../platform/objects/route-tables.ts";
import { type RoutesView, routesUrl, withoutFilters } from "./routes-url.ts";
import { staleColumns } from "./stale-columns.tsx";

/** Routes of ours that no node asks for, until they are deleted. */
export function StaleTab({ cluster, view, push, replace }: ListProps<RoutesView>) {
  const stale = useStale(cluster, view);
  const { data: tables } = useTables(cluster);
  const columns = useMemo(() => staleColumns(cluster, tables), [cluster, tables]);
  return (
    <SearchedList
      label="Routes without a node"
      thing="route"
      things="routes without a node"
      placeholder="Route, destination or owner"
      about="They carry this cluster's mark and no node asks for them. They are deleted by themselves."
      view={view}
      url={routesUrl}
      replace={replace}
      query={stale}
      empty={<NoStale view={view} push={push} />}
      columns={columns}
      rowKey={nameOf}
      rowTone={stateOf}
    />
  );
}

function useStale(cluster: string, { text }: RoutesView) {
  const api = useApi();
  return useInfiniteQuery(
    api.routes.stale.infiniteQueryOptions(
      {
        cluster,
        filter: { text: wanted(text) },
        sort: { by: "since", descending: false },
        limit: PAGE_SIZE,
      },
      PAGED,
    ),
  );
}

function NoStale({ view, push }: Pick<ListProps<RoutesView>, "view" | "push">) {
  return wanted(view.text) === undefined ? (
    <EmptyState title="No route of ours is without a node">
      Every route with this cluster's mark is asked for by a node.
    </EmptyState>
  ) : (
    <EmptyState title="No route without a node matches this filter">
      <Button onClick={() => push(withoutFilters)}>Show all of them</Button>
    </EmptyState>
  );
}
