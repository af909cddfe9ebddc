"use client";
import type { NodeRow } from "@cloudwright/store/views";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button.tsx";
import page from "../../components/page.module.css";
import { EmptyState } from "../../components/panel-states.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import { firstPageOf } from "../../components/table/pages.ts";
import { type ChangeView, useUrlState } from "../../components/url/use-url-state.ts";
import { nodeAction } from "../../platform/actions/action-choice.ts";
import { ListHead } from "../../platform/lists/list-head.tsx";
import type { ListProps } from "../../platform/lists/list-props.ts";
import { toggleFaults } from "../../platform/lists/list-view.ts";
import { PAGE_SIZE, PAGED } from "../../platform/lists/paging.ts";
import { RecordList } from "../../platform/lists/record-list.tsx";
import { useHealth } from "../../platform/live/use-health.ts";
import { nodesSentence } from "../../platform/wording/nodes-sentence.ts";
import { nodeColumns } from "./node-columns.tsx";
import { NodePeek } from "./node-peek.tsx";
import { NodesToolbar } from "./nodes-toolbar.tsx";
import { isFiltered, type NodesView, nodesFilter, nodesUrl, withoutFilters } from "./nodes-url.ts";

export function NodesPage({ cluster }: { readonly cluster: string }) {
  const { view, dropped, push, replace } = useUrlState(nodesUrl);
  const nodes = useNodes(cluster, view);
  const first = firstPageOf(nodes.data);
  const { health, alarms } = useHealth(cluster, ["Node"]);
  useShortcuts({ f: () => push(toggleFaults), r: () => void nodes.refetch() });
  return (
    <div className={page.page}>
      <ListHead
        title="Nodes"
        alarm={alarms}
        sentence={first === undefined ? undefined : nodesSentence(first.counts, health)}
        counts={first?.counts}
        view={view}
        push={push}
        dropped={dropped}
      >
        <NodesToolbar cluster={cluster} view={view} answer={first} push={push} replace={replace} />
      </ListHead>
      <div className={page.tableCard}>
        <NodesList cluster={cluster} view={view} push={push} replace={replace} nodes={nodes} />
      </div>
    </div>
  );
}

function useNodes(cluster: string, view: NodesView) {
  const api = useApi();
  return useInfiniteQuery(
    api.nodes.list.infiniteQueryOptions(
      { cluster, filter: nodesFilter(view), sort: view.sort, limit: PAGE_SIZE },
      PAGED,
    ),
  );
}

function NodesList({
  nodes,
  ...props
}: ListProps<NodesView> & { readonly nodes: ReturnType<typeof useNodes> }) {
  const { cluster, view, push } = props;
  const columns = useMemo(() => nodeColumns(cluster), [cluster]);
  const retryOf = useCallback(
    (row: NodeRow) => nodeAction({ ...row, cluster }, "retry"),
    [cluster],
  );
  return (
    <RecordList
      {...props}
      label="Nodes"
      thing="node"
      of="nodes"
      table="nodes"
      query={nodes}
      url={nodesUrl}
      isFiltered={isFiltered(view)}
      columns={columns}
      folds="cards"
      retryOf={retryOf}
      empty={<NoNodes view={view} push={push} />}
      beside={(name, onClose) => <NodePeek cluster={cluster} name={name} onClose={onClose} />}
    />
  );
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
