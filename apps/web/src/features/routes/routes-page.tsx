"use client";
import { speakerFor } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import type { RouteCounts, RouteTableView, StaleRouteRow } from "@cloudwright/store/views/routes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { CopiedCode } from "../../components/button/copy-button.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { DroppedNote, PageHead } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { type Tab, Tabs } from "../../components/page/tabs.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn } from "../../components/table/columns.tsx";
import {
  lastRunColumn,
  sinceColumn,
  stateColumn,
  whyColumn,
} from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId, useUrlState } from "../../components/url/use-url-state.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { staleRouteRetry } from "../../platform/actions/action-choice.ts";
import { IdleNote, IdlePage } from "../../platform/lists/idle-controller.tsx";
import { type ListProps, nameOf, stateOf, wanted } from "../../platform/lists/list-view.ts";
import { SearchedList } from "../../platform/lists/searched-list.tsx";
import { PAGE_SIZE, PAGED } from "../../platform/lists/use-loaded-rows.ts";
import { useCluster, useHealth, useIsRunning } from "../../platform/live/use-cluster.ts";
import { tableName, useTables } from "../../platform/objects/route-cells.ts";
import { isWhole } from "../../platform/wording/health-messages.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";
import { routesSentence } from "../../platform/wording/routes-sentence.ts";
import { ForeignTab } from "./foreign-tab.tsx";
import { MapTab, useIsMapped } from "./map/map-tab.tsx";
import { NodesTab } from "./nodes-tab.tsx";
import { type RouteList, type RoutesView, routesUrl, withList } from "./routes-url.ts";
import { TablesStrip } from "./tables-strip.tsx";

/** Every node's routes beside what they should be, and what else is in the tables (UX brief, section 7). */
export function RoutesPage() {
  const cluster = useClusterId();
  const { view, dropped, push, replace } = useUrlState(routesUrl);
  const counts = useCluster(cluster).data?.routes;
  const { health, alarms } = useHealth(cluster, ["NodeRoutes"]);
  const isRunning = useIsRunning(cluster, speakerFor("NodeRoutes"));
  const isOff = isRunning === false;
  const isMapped = useIsMapped(view);
  if (isOff && counts !== undefined && isEmpty(counts)) return <NotSelected />;
  return (
    <div className={page.page}>
      <PageHead
        title={t`Routes`}
        alarm={alarms}
        sentence={
          counts === undefined ? undefined : routesSentence(counts, { isWhole: isWhole(health) })
        }
      />
      {isOff ? <IdleNote controller="route controller" /> : null}
      {isMapped ? null : <TablesStrip view={view} push={push} />}
      <DroppedNote dropped={dropped} />
      <Tabs
        label={t`Lists`}
        tabs={tabsOf(counts)}
        current={view.show}
        onChange={(chosen) => push((now) => withList(now, chosen))}
      >
        <List view={view} push={push} replace={replace} />
      </Tabs>
    </div>
  );
}

function List(props: ListProps<RoutesView>) {
  switch (props.view.show) {
    case "nodes":
      return <NodesTab {...props} />;
    case "map":
      return <MapTab {...props} />;
    case "stale":
      return <StaleTab {...props} />;
    case "foreign":
      return <ForeignTab {...props} />;
  }
}

function NotSelected() {
  return (
    <IdlePage title={t`Routes`} controller="route controller">
      {mixed`Routes are turned off by ${<code>--configure-cloud-routes=false</code>}, or
        ${<code>--controllers</code>} leaves ${<code>{speakerFor("NodeRoutes")}</code>} out, or
        the cloud offers no routes. Pods then reach each other through the network plug-in.`}
    </IdlePage>
  );
}

function isEmpty({ states, stale, tables }: RouteCounts): boolean {
  return presentNodes(states) + stale + tables === 0;
}

function tabsOf(counts: RouteCounts | undefined): readonly Tab<RouteList>[] {
  return [
    { id: "nodes", label: t`Of nodes`, note: noteOf(counts?.wanted) },
    { id: "map", label: t`Map`, note: undefined },
    { id: "stale", label: t`Without a node`, note: noteOf(counts?.stale) },
    { id: "foreign", label: t`Not ours`, note: noteOf(counts?.foreign) },
  ];
}

function noteOf(count = 0): string | undefined {
  return count === 0 ? undefined : formatCount(count);
}

/** Routes of ours that no node asks for, until they are deleted. */
function StaleTab({ view, push, replace }: ListProps<RoutesView>) {
  const cluster = useClusterId();
  const stale = useStale(cluster, view);
  const { data: tables } = useTables(cluster);
  const columns = useMemo(() => staleColumns(cluster, tables), [cluster, tables]);
  return (
    <SearchedList
      label={t`Routes without a node`}
      thing="route"
      filter={t`Filter routes without a node`}
      placeholder={t`Route, destination or owner`}
      about={t`This cluster owns them and no node needs them. They are deleted automatically.`}
      view={view}
      url={routesUrl}
      {...{ push, replace }}
      query={stale}
      exported={{ list: "stale-routes", ...staleAsked(view) }}
      matchless={{
        title: t`No route without a node matches this filter`,
        all: t`Show all of them`,
      }}
      none={
        <EmptyState title={t`No route of ours is without a node`}>
          {t`Every route that this cluster owns is needed by a node.`}
        </EmptyState>
      }
      columns={columns}
      rowKey={nameOf}
      rowTone={stateOf}
    />
  );
}

function useStale(cluster: string, view: RoutesView) {
  const api = useApi();
  return useInfiniteQuery(
    api.routes.stale.infiniteQueryOptions(
      {
        cluster,
        ...staleAsked(view),
        limit: PAGE_SIZE,
      },
      PAGED,
    ),
  );
}

function staleAsked({ text }: RoutesView) {
  return { filter: { text: wanted(text) }, sort: { by: "since", descending: false } as const };
}

/** What is known of a route of ours that nobody asks for. */
export function staleColumns(
  cluster: string,
  tables: readonly RouteTableView[] | undefined,
): readonly Column<StaleRouteRow>[] {
  return [
    stateColumn(),
    column(["route", "Route", 200, { narrow: "line", pinned: true }], ({ name }) => (
      <CopiedCode strong text={name} label={`Copy the id ${name}`} />
    )),
    whyColumn(),
    sinceColumn(),
    column(["retry", t`Retry`, 170, { narrow: "line" }], (row) => <Retry row={row} />),
    textColumn(["owner", t`Was of`, 150], ({ detail }) => detail?.owner),
    textColumn(["hop", t`Next hop`, 190], ({ detail }) => detail?.nextHop, { isCode: true }),
    textColumn(["table", t`Table`, 120], ({ detail }) =>
      detail === undefined ? undefined : tableName(tables, detail.table),
    ),
    lastRunColumn(cluster, { isOnlyLink: true }),
  ];
}

function Retry({ row }: { readonly row: StaleRouteRow }) {
  const cluster = useClusterId();
  const [open] = row.openIntents;
  if (open !== undefined) {
    return (
      <Link className="plain-link" href={addresses.action(cluster, open.id)} prefetch={false}>
        {mixed`Requested by ${open.actor}, ${open.state}`}
      </Link>
    );
  }
  return <ActionButton choice={staleRouteRetry(cluster, row.name)} of={row.name} />;
}
