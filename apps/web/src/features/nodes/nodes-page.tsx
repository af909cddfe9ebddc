"use client";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import {
  NODE_SORTS,
  type NodeRow,
  type NodeSort,
  type NodesFilter,
} from "@cloudwright/store/views/views";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { ChoiceMenu } from "../../components/menu/choice-menu.tsx";
import { Nothing } from "../../components/nothing.tsx";
import page from "../../components/page/page.module.css";
import { DroppedNote, PageHead } from "../../components/page/page-head.tsx";
import { EmptyState, Skeleton } from "../../components/page/panel-states.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn } from "../../components/table/columns.tsx";
import { firstPageOf } from "../../components/table/pages.ts";
import {
  driftColumn,
  lastRunColumn,
  leadingColumns,
} from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { type TimeRange, timeParam } from "../../components/url/time-range.ts";
import { wordsParam } from "../../components/url/url-codec.ts";
import { type ChangeView, useClusterId, useUrlState } from "../../components/url/use-url-state.ts";
import { useFetched } from "../../components/use-fetched.ts";
import { nodeAction } from "../../platform/actions/action-choice.ts";
import { type ListView, listFilter, listUrl, some } from "../../platform/lists/list-view.ts";
import { type RecordListOf, RecordSection } from "../../platform/lists/record-list.tsx";
import { PAGE_SIZES, PAGED } from "../../platform/lists/use-loaded-rows.ts";
import { useHealth } from "../../platform/live/use-cluster.ts";
import { nodesSentence } from "../../platform/wording/nodes-sentence.ts";
import { addressesText } from "./node-addresses.ts";

/** A node is opened beside the list by its name. */
interface NodesView extends ListView<NodeSort> {
  readonly zones: readonly string[];
  readonly types: readonly string[];
  /** The time range of the initialisation chart; undefined while it is closed. */
  readonly init: TimeRange | undefined;
}

/** The address of a view of the Nodes page: `?q=10.0&state=stuck,unknown&zone=a&sort=-since&init=-24h`. */
export const nodesUrl = listUrl<NodesView, NodesFilter>({
  sorts: NODE_SORTS,
  listed: { init: timeParam("init") },
  stays: ({ init }) => ({ init }),
  own: { zones: wordsParam("zone"), types: wordsParam("type") },
  filter: (view) => ({ ...listFilter(view), zones: some(view.zones), types: some(view.types) }),
});

export function NodesPage() {
  const cluster = useClusterId();
  const api = useApi();
  const { view, dropped, push, replace } = useUrlState(nodesUrl);
  const nodes = useInfiniteQuery(
    api.nodes.list.infiniteQueryOptions(
      { cluster, filter: nodesUrl.filter(view), sort: view.sort, ...PAGE_SIZES },
      PAGED,
    ),
  );
  const first = firstPageOf(nodes.data);
  const { health, alarms } = useHealth(cluster, ["Node"]);
  return (
    <div className={page.page}>
      <PageHead
        title={t`Nodes`}
        alarm={alarms}
        sentence={first === undefined ? undefined : nodesSentence(first.counts.states, health)}
      />
      <RecordSection
        {...{ view, push, replace }}
        list={NODES}
        query={nodes}
        counts={first?.counts.states}
        filters={
          <>
            <ChoiceMenu
              label={t`Zone`}
              choices={asChoices(first?.facets.zones)}
              chosen={new Set(view.zones)}
              onToggle={(zone) => push((now) => ({ ...now, zones: toggled(now.zones, zone) }))}
            />
            <ChoiceMenu
              label={t`Type`}
              choices={asChoices(first?.facets.types)}
              chosen={new Set(view.types)}
              onToggle={(type) => push((now) => ({ ...now, types: toggled(now.types, type) }))}
            />
            <Button
              active={view.init !== undefined}
              aria-expanded={view.init !== undefined}
              onClick={() =>
                push((now) => ({ ...now, init: now.init === undefined ? LAST_DAY : undefined }))
              }
            >
              {t`Initialisation`}
            </Button>
          </>
        }
        note={
          <>
            <DroppedNote dropped={dropped} />
            <Initialisation time={view.init} push={push} />
          </>
        }
      />
    </div>
  );
}

const LAST_DAY: TimeRange = { from: "-24h", between: undefined };
const loadPanel = () =>
  import("./initialisation/initialisation-panel.tsx").then(
    ({ InitialisationPanel }) => InitialisationPanel,
  );

/** How long nodes took, shown on request because most users only need the list. */
function Initialisation({
  time,
  push,
}: {
  readonly time: TimeRange | undefined;
  readonly push: ChangeView<NodesView>;
}) {
  const InitialisationPanel = useFetched(loadPanel, time);
  if (time === undefined) return null;
  if (InitialisationPanel === undefined) return <Skeleton lines={3} />;
  return <InitialisationPanel time={time} onTime={(init) => push((now) => ({ ...now, init }))} />;
}

const NODES: RecordListOf<NodeRow, NodesView> = {
  get label() {
    return t`Nodes`;
  },
  thing: "node",
  of: "nodes",
  table: "nodes",
  url: nodesUrl,
  get placeholder() {
    return t`Name, address or provider ID`;
  },
  columns: nodeColumns,
  folds: "cards",
  retryOf: (row, cluster) => nodeAction({ ...row, cluster }, "retry"),
  get none() {
    return (
      <EmptyState title={t`No node has been seen yet`}>
        {t`A node appears here as soon as its kubelet registers and the controller has observed
        it.`}
      </EmptyState>
    );
  },
  beside: () => import("./node-peek.tsx").then(({ NodePeek }) => NodePeek),
};

function toggled(values: readonly string[], value: string): readonly string[] {
  return values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
}

function asChoices(values: readonly string[] | undefined) {
  return (values ?? []).map((value) => ({ id: value, label: value }));
}

/** The columns of the Nodes page (UX brief, section 5). */
export function nodeColumns(cluster: string): readonly Column<NodeRow, NodeSort>[] {
  return [
    ...leadingColumns<NodeRow>({
      ...{ id: "name", header: t`Name`, width: 170 },
      href: ({ name }) => addresses.node(cluster, name),
    }),
    column(
      ["init", t`Init time`, 96, { sort: "init", align: "end", value: ({ initMs }) => initMs }],
      ({ initMs }) => (initMs === undefined ? <Nothing /> : formatDuration(initMs)),
    ),
    ...placeColumns(),
    driftColumn(),
    lastRunColumn(cluster),
  ];
}

function placeColumns(): readonly Column<NodeRow, NodeSort>[] {
  return [
    textColumn(["zone", t`Zone`, 90, { sort: "zone" }], ({ zone }) => zone, { isNews: true }),
    textColumn(["type", t`Type`, 104, { sort: "type" }], ({ instanceType }) => instanceType, {
      isNews: true,
    }),
    textColumn(["address", t`Addresses`, 150], addressesText, { isCode: true, isNews: true }),
    textColumn(["provider", t`Provider ID`, 210], ({ providerID }) => providerID, {
      isCode: true,
      isNews: true,
    }),
  ];
}
