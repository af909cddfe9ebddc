"use client";
import type { NodesPage as NodesAnswer } from "@cloudwright/store/views";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button.tsx";
import { useHiddenColumns } from "../../components/columns-menu.tsx";
import { DroppedNote } from "../../components/dropped-note.tsx";
import listFooter from "../../components/list-footer.module.css";
import page from "../../components/page.module.css";
import { EmptyState, ErrorState, Skeleton } from "../../components/panel-states.tsx";
import { PeekLayout } from "../../components/peek-panel/peek-panel.tsx";
import { type Peek, usePeek } from "../../components/peek-panel/use-peek.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { firstPageOf } from "../../components/table/pages.ts";
import { type ChangeView, useUrlState } from "../../components/url/use-url-state.ts";
import { nodeColumns } from "./node-columns.tsx";
import { NodePeek } from "./node-peek.tsx";
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
  withoutFilters,
} from "./nodes-url.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { selectionColumn } from "./selection-column.tsx";
import { StateCounters } from "./state-counters.tsx";
import { useSelection } from "./use-selection.ts";

const PAGE_SIZE = 200;

export function NodesPage({ cluster }: { readonly cluster: string }) {
  const { view, dropped, push, replace } = useUrlState(nodesUrl);
  const nodes = useNodes(cluster, view);
  const first = firstPageOf(nodes.data);
  const peek = usePeek({ view, push, replace });
  useShortcuts({ f: () => push(toggleFaults), r: () => void nodes.refetch() });
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h1 className={page.title}>Nodes</h1>
        <p className={page.sentence}>{first === undefined ? "" : nodesSentence(first.counts)}</p>
      </header>
      <StateCounters
        counts={first?.counts}
        chosen={view.states}
        onToggle={(state) => push((now) => toggleState(now, state))}
      />
      <NodesToolbar cluster={cluster} view={view} answer={first} push={push} replace={replace} />
      <DroppedNote dropped={dropped} />
      <NodesPanel cluster={cluster} view={view} push={push} peek={peek} nodes={nodes} />
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

interface NodesPanelProps {
  readonly cluster: string;
  readonly view: NodesView;
  readonly push: ChangeView<NodesView>;
  readonly peek: Peek;
  readonly nodes: ReturnType<typeof useNodes>;
}

function NodesPanel(props: NodesPanelProps) {
  const { cluster, peek, nodes } = props;
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
      <PeekLayout
        peek={
          peek.current === undefined ? null : (
            <NodePeek
              cluster={cluster}
              name={peek.current}
              onClose={() => peek.onPeek(undefined)}
            />
          )
        }
      >
        <NodesTable {...props} pages={nodes.data.pages} />
      </PeekLayout>
    </div>
  );
}

function NodesTable({
  cluster,
  view,
  push,
  peek,
  nodes,
  pages,
}: NodesPanelProps & { readonly pages: readonly NodesAnswer[] }) {
  const selection = useSelection(cluster);
  const hidden = useHiddenColumns("nodes");
  const rows = useMemo(() => pages.flatMap((answer) => answer.rows), [pages]);
  const columns = useMemo(
    () => [selectionColumn(selection, rows), ...nodeColumns(cluster)],
    [selection, rows, cluster],
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = nodes;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const total = pages[0]?.total;
  if (rows.length === 0) return <NoNodes view={view} push={push} />;
  return (
    <>
      <SelectionBar cluster={cluster} selection={selection} />
      <DataTable
        label="Nodes"
        columns={columns}
        hidden={hidden}
        rows={rows}
        total={total?.kind === "exact" ? total.count : undefined}
        rowKey={({ uid }) => uid}
        rowTone={({ state }) => state}
        sort={view.sort}
        onSort={(by) => push((now) => sortedBy(now, by))}
        onNearEnd={onNearEnd}
        stale={nodes.isPlaceholderData || nodes.isError}
        folds="cards"
        onSpace={(row) => (row.state === "gone" ? undefined : selection.toggle(row))}
        peek={{ ...peek, idOf: ({ name }) => name }}
      />
      <p className={listFooter.footer} role="status">
        <span>
          {total === undefined
            ? ""
            : `${formatCount(total.count)}${total.kind === "exact" ? "" : "+"}`}{" "}
          {countedNodes(total?.count, isFiltered(view))}
        </span>
        {nodes.isError ? <span>These rows are old: the last request failed.</span> : null}
        {isFetchingNextPage ? <span>Loading more…</span> : null}
      </p>
    </>
  );
}

function countedNodes(count: number | undefined, filtered: boolean): string {
  const isOne = count === 1;
  const match = isOne ? " matches" : " match";
  return `${isOne ? "node" : "nodes"}${filtered ? match : ""}`;
}

function NoNodes({
  view,
  push,
}: {
  readonly view: NodesView;
  readonly push: ChangeView<NodesView>;
}) {
  if (!isFiltered(view)) {
    return (
      <EmptyState title="No node has been seen yet">
        A node appears here as soon as its kubelet registers and the controller has looked at it.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No node matches this filter">
      <Button onClick={() => push(withoutFilters)}>Show all nodes</Button>
    </EmptyState>
  );
}
