"use client";
import type { NodeRow } from "@cloudwright/store/views/views";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { ChoiceMenu } from "../../components/menu/choice-menu.tsx";
import page from "../../components/page/page.module.css";
import { DroppedNote, PageHead } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { firstPageOf } from "../../components/table/pages.ts";
import { useUrlState } from "../../components/url/use-url-state.ts";
import { nodeAction } from "../../platform/actions/action-choice.ts";
import { PAGE_SIZE, PAGED } from "../../platform/lists/paging.ts";
import { type RecordListOf, RecordSection } from "../../platform/lists/record-list.tsx";
import { useHealth } from "../../platform/live/use-cluster.ts";
import { nodesSentence } from "../../platform/wording/nodes-sentence.ts";
import { nodeColumns } from "./node-columns.tsx";
import { NodePeek } from "./node-peek.tsx";
import { type NodesView, nodesUrl } from "./nodes-url.ts";

export function NodesPage({ cluster }: { readonly cluster: string }) {
  const api = useApi();
  const { view, dropped, push, replace } = useUrlState(nodesUrl);
  const nodes = useInfiniteQuery(
    api.nodes.list.infiniteQueryOptions(
      { cluster, filter: nodesUrl.filter(view), sort: view.sort, limit: PAGE_SIZE },
      PAGED,
    ),
  );
  const first = firstPageOf(nodes.data);
  const { health, alarms } = useHealth(cluster, ["Node"]);
  return (
    <div className={page.page}>
      <PageHead
        title="Nodes"
        alarm={alarms}
        sentence={first === undefined ? undefined : nodesSentence(first.counts.states, health)}
      />
      <RecordSection
        {...{ cluster, view, push, replace }}
        list={NODES}
        query={nodes}
        counts={first?.counts.states}
        filters={
          <>
            <ChoiceMenu
              label="Zone"
              choices={asChoices(first?.facets.zones)}
              chosen={new Set(view.zones)}
              onToggle={(zone) => push((now) => ({ ...now, zones: toggled(now.zones, zone) }))}
            />
            <ChoiceMenu
              label="Type"
              choices={asChoices(first?.facets.types)}
              chosen={new Set(view.types)}
              onToggle={(type) => push((now) => ({ ...now, types: toggled(now.types, type) }))}
            />
          </>
        }
        note={<DroppedNote dropped={dropped} />}
      />
    </div>
  );
}

const NODES: RecordListOf<NodeRow, NodesView> = {
  ...{ label: "Nodes", thing: "node", of: "nodes", table: "nodes", url: nodesUrl },
  placeholder: "Name, address or provider ID",
  columns: nodeColumns,
  folds: "cards",
  retryOf: (row, cluster) => nodeAction({ ...row, cluster }, "retry"),
  none: (
    <EmptyState title="No node has been seen yet">
      A node appears here as soon as its kubelet registers and the controller has observed it.
    </EmptyState>
  ),
  beside: (row) => <NodePeek {...row} />,
};

function toggled(values: readonly string[], value: string): readonly string[] {
  return values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
}

function asChoices(values: readonly string[] | undefined) {
  return (values ?? []).map((value) => ({ id: value, label: value }));
}
