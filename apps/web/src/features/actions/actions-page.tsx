"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import page from "../../components/page.module.css";
import { EmptyState, ErrorState, Skeleton } from "../../components/panel-states.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { rowsOf } from "../../components/table/pages.ts";
import { actionColumns } from "./action-columns.tsx";

export function ActionsPage({ cluster }: { readonly cluster: string }) {
  const actions = useActions(cluster);
  const columns = useMemo(() => actionColumns(cluster), [cluster]);
  const rows = useMemo(() => rowsOf(actions.data), [actions.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = actions;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  useShortcuts({ r: () => void actions.refetch() });
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h1 className={page.title}>Actions</h1>
        <p className={page.sentence}>What people asked for, and what came of it.</p>
      </header>
      <div className={page.tableCard}>
        {rows === undefined ? (
          <Pending error={actions.error} retry={() => void actions.refetch()} />
        ) : rows.length === 0 ? (
          <EmptyState title="Nobody has asked for anything yet">
            Open a node and press <strong>Retry now</strong>: its progress and its record appear
            here.
          </EmptyState>
        ) : (
          <DataTable
            label="Actions"
            columns={columns}
            rows={rows}
            total={undefined}
            rowKey={({ id }) => id}
            onNearEnd={onNearEnd}
          />
        )}
      </div>
    </div>
  );
}

function Pending({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  return error === null ? <Skeleton lines={6} /> : <ErrorState error={error} retry={retry} />;
}

function useActions(cluster: string) {
  const api = useApi();
  return useInfiniteQuery(
    api.intents.list.infiniteQueryOptions(
      {
        cluster,
        filter: { acting: true },
        sort: { by: "requested", descending: true },
        limit: 100,
      },
      { getNextPageParam: ({ nextCursor }) => nextCursor },
    ),
  );
}
