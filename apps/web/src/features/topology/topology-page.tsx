"use client";
import { t } from "@cloudwright/core/model/language/text";
import { topologyNodesOf } from "@cloudwright/store/views/topology";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import page from "../../components/page/page.module.css";
import { DroppedNote, PageHead } from "../../components/page/page-head.tsx";
import { type Tab, Tabs } from "../../components/page/tabs.tsx";
import { useClusterId, useUrlState } from "../../components/url/use-url-state.ts";
import type { ListProps } from "../../platform/lists/list-view.ts";
import { NodesTab } from "./nodes-tab.tsx";
import { servicesSentence } from "./services.ts";
import { ServicesTab, useServices } from "./services-tab.tsx";
import {
  type TopologyPageView,
  type TopologyShow,
  topologyUrl,
  withoutFilters,
} from "./topology-url.ts";
import { zonesSentence } from "./zones.ts";

const TABS: readonly Tab<TopologyShow>[] = [
  {
    id: "nodes",
    get label() {
      return t`Zones and nodes`;
    },
  },
  {
    id: "services",
    get label() {
      return t`Services`;
    },
  },
];

/** Where everything is and how it is connected: the cloud with its zones and nodes, and each Service with what is behind it. */
export function TopologyPage() {
  const { view, dropped, push, replace } = useUrlState(topologyUrl);
  return (
    <div className={page.page}>
      <PageHead title={t`Topology`} sentence={useSentence(view)} />
      <DroppedNote dropped={dropped} />
      <Tabs
        label={t`What is drawn`}
        tabs={TABS}
        current={view.show}
        onChange={(show) => push((now) => ({ ...withoutFilters(now), show }))}
      >
        <Drawn view={view} push={push} replace={replace} />
      </Tabs>
    </div>
  );
}

function Drawn(props: ListProps<TopologyPageView>) {
  return props.view.show === "nodes" ? <NodesTab {...props} /> : <ServicesTab {...props} />;
}

function useSentence(view: TopologyPageView): string | undefined {
  const cluster = useClusterId();
  const api = useApi();
  const isNodes = view.show === "nodes";
  const nodes = useQuery(
    api.topology.nodes.queryOptions({ cluster }, { enabled: isNodes, select: topologyNodesOf }),
  ).data;
  const services = useServices(cluster, view, !isNodes).data;
  if (isNodes) return nodes === undefined ? undefined : zonesSentence(nodes.nodes);
  return services === undefined ? undefined : servicesSentence(services);
}
