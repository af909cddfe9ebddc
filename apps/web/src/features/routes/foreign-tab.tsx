"use client";
import type { ForeignPage } from "@cloudwright/store/route-views";
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
import { formatCount } from "../nodes/nodes-sentence.ts";
import { foreignColumns } from "./foreign-columns.tsx";
import type { ListProps } from "./list-props.ts";
import { type RoutesView, wanted, withoutFilters } from "./routes-url.ts";

const PAGE_SIZE = 200;
const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

/** What stands in the cluster's tables and is not ours. */
export function ForeignTab(props: ListProps) {
  const { cluster, view, replace } = props;
  const foreign = useForeign(cluster, view);
  useShortcuts({ r: () => void foreign.refetch() });
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  return (
    <>
      <div className={page.toolbar}>
        <SearchBox
          label="Filter foreign routes"
          placeholder="Destination, next hop or owner"
          value={view.text}
          onChange={onText}
        />
        <p className={page.quiet}>
          They are not ours, and are left untouched. Those in a pod range keep a node from its own
          route; they come first.
        </p>
      </div>
      <div className={page.tableCard}>
        <ForeignPanel {...props} foreign={foreign} />
      </div>
    </>
  );
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
      { getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData },
    ),
  );
}

interface PanelProps extends ListProps {
  readonly foreign: ReturnType<typeof useForeign>;
}

function ForeignPanel(props: PanelProps) {
  const { foreign } = props;
  if (foreign.data === undefined) return <ListWaiting query={foreign} />;
  return <ForeignTable {...props} pages={foreign.data.pages} />;
}

function ForeignTable({
  view,
  push,
  foreign,
  pages,
}: PanelProps & { readonly pages: readonly ForeignPage[] }) {
  const rows = useMemo(() => rowsOf({ pages }) ?? [], [pages]);
  const columns = useMemo(() => foreignColumns(), []);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = foreign;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const total = pages[0]?.total;
  const unlisted = pages[0]?.unlisted ?? 0;
  const isFiltered = wanted(view.text) !== undefined || view.table !== undefined;
  if (rows.length === 0) {
    return isFiltered ? (
      <EmptyState title="No foreign route matches this filter">
        <Button onClick={() => push(withoutFilters)}>Show all foreign routes</Button>
      </EmptyState>
    ) : (
      <EmptyState title="No foreign routes">
        Every route in the tables of this cluster is ours.
      </EmptyState>
    );
  }
  return (
    <>
      <DataTable
        label="Foreign routes"
        columns={columns}
        hidden={NOTHING_HIDDEN}
        rows={rows}
        total={total?.kind === "exact" ? total.count : undefined}
        rowKey={({ table, id }) => `${table} ${id}`}
        onNearEnd={onNearEnd}
        stale={foreign.isPlaceholderData || foreign.isError}
        folds="cards"
      />
      {unlisted === 0 ? null : (
        <p className={page.note}>
          {formatCount(unlisted)} more are counted and not listed: a table lists at most 500.
        </p>
      )}
      <ListFooter
        what="foreign route"
        total={total}
        isFiltered={isFiltered}
        isOld={foreign.isError}
        isLoading={isFetchingNextPage}
      />
    </>
  );
}
