"use client";
import { t } from "@cloudwright/core/model/language/text";
import { STATES, type State } from "@cloudwright/core/model/state";
import { type TopologyNode, topologyNodesOf } from "@cloudwright/store/views/topology";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { CauseText } from "../../components/evidence/sentence-text.tsx";
import { ChoiceMenu } from "../../components/menu/choice-menu.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState, Pending, Skeleton } from "../../components/page/panel-states.tsx";
import { SearchBox } from "../../components/search-box.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn } from "../../components/table/columns.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import { RecordLink, sinceColumn, stateColumn } from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useFetched } from "../../components/use-fetched.ts";
import { StateCounters } from "../../platform/lists/counters.tsx";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import {
  type ListProps,
  nameOf,
  stateOf,
  toggleFaults,
  toggleState,
  wanted,
} from "../../platform/lists/list-view.ts";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { ViewsMenu } from "../../platform/views/views-menu.tsx";
import { Beside, LayoutButtons, useShownLayout } from "./beside.tsx";
import { isNarrowed, type TopologyPageView, withoutFilters } from "./topology-url.ts";
import { filteredNodes, NO_ZONE, zonesOf, zoneTitle } from "./zones.ts";

const load = () => import("./picture/zones-picture.tsx").then(({ ZonesPicture }) => ZonesPicture);

/** The nodes by zone and state, drawn and as a table. */
export function NodesTab(props: ListProps<TopologyPageView>) {
  const cluster = useClusterId();
  const api = useApi();
  const { view, push } = props;
  const found = useQuery(api.topology.nodes.queryOptions({ cluster }, { select: topologyNodesOf }));
  const nodes = found.data?.nodes;
  const shown = useMemo(() => filteredNodes(nodes ?? [], view), [nodes, view]);
  useShortcuts({ f: () => push(toggleFaults), r: () => void found.refetch() });
  return (
    <>
      <StateCounters
        counts={nodes === undefined ? undefined : countStates(nodes)}
        chosen={view.states}
        onToggle={(state) => push((now) => toggleState(now, state))}
      />
      <NodesToolbar {...props} nodes={nodes ?? []} />
      {found.data?.isCut === true ? (
        <p className={`pad-2-3 small round-small ${page.note}`}>
          {t`The worst 10,000 nodes are shown. The list of nodes shows all of them.`}
        </p>
      ) : null}
      {nodes === undefined ? (
        <Pending isCard query={found} />
      ) : (
        <Shown view={view} push={push} nodes={shown} isAny={nodes.length > 0} />
      )}
    </>
  );
}

/** The number that is readable without zooming on a usual screen. */
const ZONES_BESIDE_TABLE = 2;
const ZONES_ALONE = 3;

function Shown({
  view,
  push,
  nodes,
  isAny,
}: Omit<ListProps<TopologyPageView>, "replace"> & {
  readonly nodes: readonly TopologyNode[];
  /** Whether there are any, whatever the filter. */
  readonly isAny: boolean;
}) {
  const cluster = useClusterId();
  const layout = useShownLayout(view);
  const ZonesPicture = useFetched(load, layout === "table" ? undefined : true);
  const provider = useCluster(cluster).data?.provider ?? "";
  const columns = useMemo(() => nodeColumns(cluster), [cluster]);
  if (nodes.length === 0) return <Nothing isAny={isAny} push={push} />;
  return (
    <Beside
      layout={layout}
      picture={
        ZonesPicture === undefined ? (
          <Skeleton />
        ) : (
          <ZonesPicture
            cloud={provider}
            nodes={nodes}
            columns={layout === "both" ? ZONES_BESIDE_TABLE : ZONES_ALONE}
          />
        )
      }
      table={
        <DataTable
          label={t`Nodes by state`}
          columns={columns}
          rows={nodes}
          total={nodes.length}
          rowKey={nameOf}
          rowTone={stateOf}
          folds="cards"
        />
      }
    />
  );
}

function Nothing({
  isAny,
  push,
}: Pick<ListProps<TopologyPageView>, "push"> & { readonly isAny: boolean }) {
  if (isAny) {
    return (
      <EmptyState title={t`No node matches this filter`}>
        <Button onClick={() => push(withoutFilters)}>{t`Show all nodes`}</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t`No node has been seen yet`}>
      {t`A node appears here as soon as its kubelet registers and the controller has observed
        it.`}
    </EmptyState>
  );
}

function NodesToolbar({
  view,
  push,
  replace,
  nodes,
}: ListProps<TopologyPageView> & { readonly nodes: readonly TopologyNode[] }) {
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  const cluster = useClusterId();
  const zones = useMemo(() => zonesOf(nodes).map(({ name }) => name), [nodes]);
  return (
    <div className={page.toolbar}>
      <SearchBox
        label={t`Find nodes`}
        placeholder={t`Name, zone or type`}
        value={view.text}
        onChange={onText}
      />
      <ChoiceMenu
        label={t`Zone`}
        choices={zones.map((name) => ({ id: name ?? NO_ZONE, label: zoneTitle(name) }))}
        chosen={new Set(view.zone === undefined ? [] : [view.zone])}
        onToggle={(zone) => push((now) => ({ ...now, zone: now.zone === zone ? undefined : zone }))}
      />
      {isNarrowed(view) ? (
        <Button appearance="quiet" onClick={() => push(withoutFilters)}>
          {t`Clear filters`}
        </Button>
      ) : null}
      <LayoutButtons layout={view.layout} push={push} />
      <ViewsMenu />
      <ExportMenu of={{ list: "topology-nodes", cluster, filter: exportedNodes(view) }} />
    </div>
  );
}

/** Returns the export's filter: exactly what narrows the table. */
function exportedNodes({ text, states, zone }: TopologyPageView) {
  return { text: wanted(text), states: states.length === 0 ? undefined : states, zone };
}

function countStates(nodes: readonly TopologyNode[]): Readonly<Record<State, number>> {
  const counts = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<State, number>;
  for (const { state } of nodes) counts[state] += 1;
  return counts;
}

function nodeColumns(cluster: string): readonly Column<TopologyNode>[] {
  const pageOf = ({ name }: TopologyNode) => addresses.node(cluster, name);
  return [
    stateColumn<TopologyNode>(),
    column(["name", t`Node`, 150, { pinned: true, narrow: "line", pageOf }], (node) => (
      <RecordLink href={pageOf(node)} name={node.name} />
    )),
    column(["why", t`Why`, 200, { grows: true, folds: true, narrow: "line" }], ({ reason }) =>
      reason === undefined ? null : <CauseText reason={reason} />,
    ),
    textColumn(["zone", t`Zone`, 112, { narrow: "line" }], ({ zone }) => zone),
    sinceColumn<TopologyNode>(),
    textColumn(["type", t`Type`, 100], ({ type }) => type),
  ];
}
