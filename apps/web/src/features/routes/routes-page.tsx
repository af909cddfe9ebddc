"use client";
import { speakerFor } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import type { RouteCounts } from "@cloudwright/store/views/routes";
import { mixed } from "../../components/language/mixed-text.ts";
import { late } from "../../components/late.tsx";
import page from "../../components/page/page.module.css";
import { DroppedNote, PageHead } from "../../components/page/page-head.tsx";
import { type Tab, Tabs } from "../../components/page/tabs.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { useClusterId, useUrlState } from "../../components/url/use-url-state.ts";
import { IdleNote, IdlePage } from "../../platform/lists/idle-controller.tsx";
import type { ListProps } from "../../platform/lists/list-view.ts";
import { useCluster, useHealth, useIsRunning } from "../../platform/live/use-cluster.ts";
import { isWhole } from "../../platform/wording/health-messages.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";
import { routesSentence } from "../../platform/wording/routes-sentence.ts";
import { MapTab, useIsMapped } from "./map/map-tab.tsx";
import { NodesTab } from "./nodes-tab.tsx";
import { type RouteList, type RoutesView, routesUrl, withList } from "./routes-url.ts";
import { TablesStrip } from "./tables-strip.tsx";

const StaleTab = late(() => import("./stale-tab.tsx").then((tab) => tab.StaleTab));
const ForeignTab = late(() => import("./foreign-tab.tsx").then((tab) => tab.ForeignTab));

/** Every node's routes beside the desired ones, and what else is in the tables (UX brief, section 7). */
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
      {isOff ? <IdleNote controller={t`route controller`} /> : null}
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
    <IdlePage title={t`Routes`} controller={t`route controller`}>
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
