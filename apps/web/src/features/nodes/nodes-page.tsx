"use client";
import type { NodesPage as NodesAnswer } from "@cloudwright/store/views";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button.tsx";
import { useHiddenColumns } from "../../components/columns-menu.tsx";
import { DroppedNote } from "../../components/dropped-note.tsx";
import page from "../../components/page.module.css";
import { EmptyState, ErrorState, Skeleton } from "../../components/panel-states.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { firstPageOf } from "../../components/table/pages.ts";
import { useUrlState } from "../../components/url/use-url-state.ts";
import { nodeColumns } from "./node-columns.tsx";
import styles from "./nodes-page.module.css";
import { formatCount, nodesSentence } from "./nodes-sentence.ts";
import { NodesToolbar } from "./nodes-toolbar.tsx";
import {
  isFiltered,
  type NodesView,
  nodesFilter,
  nodesUrl,
  sortedBy,
  toggleFaults,
  toggleState,
} from "./nodes-url.ts";
import { StateCounters } from "./state-counters.tsx";

const PAGE_SIZE = 200;

export function NodesPage({ cluster }: { readonly cluster: string }) {
  const { view, dropped, push, replace } = useUrlState(nodesUrl);
  const nodes = useNodes(cluster, view);
  const first = firstPageOf(nodes.data);
  useShortcuts({ f: () => push(toggleFaults(view)), r: () => void nodes.refetch() });
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h1 className={page.title}>Nodes</h1>
        <p className={page.sentence}>{first === undefined ? "" : nodesSentence(first.counts)}</p>
      </header>
      <StateCounters
        counts={first?.counts}
        chosen={view.states}
        onToggle={(state) => push(toggleState(view, state))}
      />
      <NodesToolbar cluster={cluster} view={view} answer={first} push={push} replace={replace} />
      <DroppedNote dropped={dropped} />
      <NodesPanel cluster={cluster} view={view} push={push} nodes={nodes} />
    </div>
  );
}

function useNodes(cluster: string, view: NodesView) {
  const api = useApi();
  return useInfiniteQuery(
    api.nodes.list.infiniteQueryOptions(
      { cluster, filter: nodesFilter(view), sort: view.sort, limit: PAGE_SIZE },
      {
        getNextPageParam: ({ nextCursor }) => nextCursor,
        placeholderData: keepPreviousData,
      },
    ),
  );
}

function NodesPanel({
  cluster,
  view,
  push,
  nodes,
}: {
  readonly cluster: string;
  readonly view: NodesView;
  readonly push: (view: NodesView) => void;
  readonly nodes: ReturnType<typeof useNodes>;
}) {
  if (nodes.data === undefined) {
    return (
      <div className={page.tableCard}>
        {nodes.isError ? (
          <ErrorState error={nodes.error} retry={() => void nodes.refetch()} />
        ) : (
          <Skeleton lines={12} />
        )}
      </div>
    );
  }
  return (
    <div className={page.tableCard}>
      <NodesTable
        cluster={cluster}
        view={view}
        push={push}
        nodes={nodes}
        pages={nodes.data.pages}
      />
    </div>
  );
}

function NodesTable({
  cluster,
  view,
  push,
  nodes,
  pages,
}: {
  readonly cluster: string;
  readonly view: NodesView;
  readonly push: (view: NodesView) => void;
  readonly nodes: ReturnType<typeof useNodes>;
  readonly pages: readonly NodesAnswer[];
}) {
  const columns = useMemo(() => nodeColumns(cluster), [cluster]);
  const hidden = useHiddenColumns("nodes");
  const rows = useMemo(() => pages.flatMap((answer) => answer.rows), [pages]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = nodes;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const total = pages[0]?.total;
  if (rows.length === 0) return <NoNodes view={view} push={push} />;
  return (
    <>
      <DataTable
        label="Nodes"
        columns={columns}
        hidden={hidden}
        rows={rows}
        total={total?.kind === "exact" ? total.count : undefined}
        rowKey={({ uid }) => uid}
        rowTone={({ state }) => state}
        sort={view.sort}
        onSort={(by) => push(sortedBy(view, by))}
        onNearEnd={onNearEnd}
        stale={nodes.isPlaceholderData || nodes.isError}
      />
      <p className={styles.footer} role="status">
        <span>
          {total === undefined
            ? ""
            : `${formatCount(total.count)}${total.kind === "exact" ? "" : "+"}`}{" "}
          {total?.count === 1 ? "node" : "nodes"}
          {isFiltered(view) ? " match" : ""}
        </span>
        {nodes.isError ? <span>These rows are old: the last request failed.</span> : null}
        {isFetchingNextPage ? <span>Loading more…</span> : null}
      </p>
    </>
  );
}

function NoNodes({
  view,
  push,
}: {
  readonly view: NodesView;
  readonly push: (view: NodesView) => void;
}) {
  if (!isFiltered(view)) {
    return (
      <EmptyState title="No node has been seen yet">
        A node appears here as soon as its kubelet registers and the controller has looked at it.
      </EmptyState>
    );
  }
  const plain = nodesUrl.parse(new URLSearchParams()).view;
  return (
    <EmptyState title="No node matches this filter">
      <Button onClick={() => push({ ...plain, sort: view.sort })}>Show all nodes</Button>
    </EmptyState>
  );
}
