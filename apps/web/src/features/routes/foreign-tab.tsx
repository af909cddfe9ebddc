"use client";
import type { ForeignRouteRow } from "@cloudwright/store/views/routes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import page from "../../components/page/page.module.css";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { firstPageOf } from "../../components/table/pages.ts";
import { type ListProps, wanted } from "../../platform/lists/list-view.ts";
import { PAGE_SIZE, PAGED } from "../../platform/lists/paging.ts";
import { SearchedList } from "../../platform/lists/searched-list.tsx";
import { foreignColumns } from "./foreign-columns.tsx";
import { type RoutesView, routesUrl } from "./routes-url.ts";

const COLUMNS = foreignColumns();

/** What stands in the cluster's tables and is not ours. */
export function ForeignTab({ cluster, view, push, replace }: ListProps<RoutesView>) {
  const foreign = useForeign(cluster, view);
  return (
    <SearchedList
      label="Foreign routes"
      thing="foreign route"
      filter="Filter foreign routes"
      placeholder="Destination, next hop or owner"
      about="They are not ours, and are left untouched. Those in a pod range keep a node from getting its own route and are listed first."
      view={view}
      url={routesUrl}
      {...{ push, replace }}
      query={foreign}
      isFiltered={isSearched(view)}
      none={
        <EmptyState title="No foreign routes">
          Every route in the tables of this cluster is ours.
        </EmptyState>
      }
      below={<Unlisted count={firstPageOf(foreign.data)?.unlisted ?? 0} />}
      columns={COLUMNS}
      rowKey={keyOfRoute}
    />
  );
}

/** Ids are told apart within a table only. */
function keyOfRoute({ table, id }: ForeignRouteRow): string {
  return `${table} ${id}`;
}

function useForeign(cluster: string, { text, table }: RoutesView) {
  const api = useApi();
  return useInfiniteQuery(
    api.routes.foreign.infiniteQueryOptions(
      {
        cluster,
        filter: { text: wanted(text), table },
        sort: { by: "inRange", descending: false },
        limit: PAGE_SIZE,
      },
      PAGED,
    ),
  );
}

function isSearched({ text, table }: RoutesView): boolean {
  return wanted(text) !== undefined || table !== undefined;
}

function Unlisted({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <p className={page.note}>
      {formatCount(count)} more are counted and not listed: a table lists at most 500.
    </p>
  );
}
