"use client";
import type { StalePage } from "@cloudwright/store/route-views";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button.tsx";
import page from "../../components/page.module.css";
import { EmptyState } from "../../components/panel-states.tsx";
import { SearchBox } from "../../components/search-box.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { rowsOf } from "../../components/table/pages.ts";
import { ListFooter } from "../load-balancers/list-footer.tsx";
import { ListWaiting } from "../load-balancers/list-waiting.tsx";
import type { ListProps } from "./list-props.ts";
import { type RoutesView, wanted, withoutFilters } from "./routes-url.ts";
import { staleColumns } from "./stale-columns.tsx";
import { useTables } from "./use-routes.ts";

const PAGE_SIZE = 200;
const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

/** Routes of ours that no node asks for, until they are deleted. */
export function StaleTab(props: ListProps) {
  const { cluster, view, replace } = props;
  const stale = useStale(cluster, view);
  useShortcuts({ r: () => void stale.refetch() });
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  return (
    <>
      <div className={page.toolbar}>
        <SearchBox
          label="Filter routes without a node"
          placeholder="Route, destination or owner"
          value={view.text}
          onChange={onText}
        />
        <p className={page.quiet}>
          They carry this cluster's mark and no node asks for them. They are deleted by themselves.
        </p>
      </div>
      <div className={page.tableCard}>
        <StalePanel {...props} stale={stale} />
      </div>
    </>
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
      { getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData },
    ),
  );
}

interface PanelProps extends ListProps {
  readonly stale: ReturnType<typeof useStale>;
}

function StalePanel(props: PanelProps) {
  const { stale } = props;
  if (stale.data === undefined) return <ListWaiting query={stale} />;
  return <StaleTable {...props} pages={stale.data.pages} />;
}

function StaleTable({
  cluster,
  view,
  push,
  stale,
  pages,
}: PanelProps & { readonly pages: readonly StalePage[] }) {
  const { data: tables } = useTables(cluster);
  const rows = useMemo(() => rowsOf({ pages }) ?? [], [pages]);
  const columns = useMemo(() => staleColumns(cluster, tables), [cluster, tables]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = stale;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const total = pages[0]?.total;
  const isFiltered = wanted(view.text) !== undefined;
  if (rows.length === 0) {
    return isFiltered ? (
      <EmptyState title="No route without a node matches this filter">
        <Button onClick={() => push(withoutFilters)}>Show all of them</Button>
      </EmptyState>
    ) : (
      <EmptyState title="No route of ours is without a node">
        Every route with this cluster's mark is asked for by a node.
      </EmptyState>
    );
  }
  return (
    <>
      <DataTable
        label="Routes without a node"
        columns={columns}
        hidden={NOTHING_HIDDEN}
        rows={rows}
        total={total?.kind === "exact" ? total.count : undefined}
        rowKey={({ name }) => name}
        rowTone={({ state }) => state}
        onNearEnd={onNearEnd}
        stale={stale.isPlaceholderData || stale.isError}
        folds="cards"
      />
      <ListFooter
        what="route"
        total={total}
        isFiltered={isFiltered}
        isOld={stale.isError}
        isLoading={isFetchingNextPage}
      />
    </>
  );
}
