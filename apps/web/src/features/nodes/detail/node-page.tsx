"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { NodeDetail } from "@cloudwright/store/views/node-detail";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useApi } from "../../../components/api.ts";
import { JsonView } from "../../../components/facts/json-view.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { late } from "../../../components/late.tsx";
import { Link } from "../../../components/link.tsx";
import { useTrailKeys } from "../../../components/neighbours/neighbours.tsx";
import page from "../../../components/page/page.module.css";
import { DroppedNote } from "../../../components/page/page-head.tsx";
import { EmptyState } from "../../../components/page/panel-states.tsx";
import { PendingPage } from "../../../components/page/pending-page.tsx";
import { type Tab, Tabs } from "../../../components/page/tabs.tsx";
import { STATE_PRESENTATION } from "../../../components/presentation/states.ts";
import { useShortcuts } from "../../../components/shortcuts.ts";
import { addresses } from "../../../components/url/addresses.ts";
import {
  choiceParam,
  flagParam,
  optionalTextParam,
  urlCodec,
} from "../../../components/url/url-codec.ts";
import {
  type ChangeView,
  useClusterId,
  useUrlState,
} from "../../../components/url/use-url-state.ts";
import { useFetched } from "../../../components/use-fetched.ts";
import { OldTrace } from "../../../platform/objects/late-trace.ts";
import {
  eventsOf,
  OBJECT_EVENT_PARAMS,
  type ObjectEventsView,
} from "../../../platform/objects/object-events-url.ts";
import { DocumentTitle } from "../../../platform/shell/document-title.tsx";
import { compareFacts } from "./compare/compare-facts.ts";
import { FactsTab } from "./facts-tab.tsx";
import { LifecycleTab } from "./lifecycle-tab.tsx";
import { NodeHeader } from "./node-header.tsx";
import { RoutesTab, routesPart } from "./routes-tab.tsx";
import { TimelineTab } from "./timeline-tab.tsx";
import { useNodeLoadBalancers } from "./use-node-load-balancers.ts";

const loadLate = () => import("./node-late.tsx");

// Tabs with a table, which nothing else on the page needs.
const LoadBalancersTab = late(() =>
  import("./load-balancers-tab.tsx").then((tab) => tab.LoadBalancersTab),
);
const EventsTab = late(() =>
  import("../../../platform/objects/object-events-tab.tsx").then((tab) => tab.ObjectEventsTab),
);
const ObjectRunsTab = late(() =>
  import("../../../platform/runs/object-runs-tab.tsx").then((tab) => tab.ObjectRunsTab),
);

export function NodePage({ name }: { readonly name: string }) {
  const cluster = useClusterId();
  const api = useApi();
  const node = useQuery(api.nodes.byName.queryOptions({ cluster, name }));
  useShortcuts({ r: () => void node.refetch() });
  useTrailKeys();
  if (node.data === undefined) {
    return <PendingPage title={name} query={node} notFound={<Unknown name={name} />} />;
  }
  return (
    <div className={page.scrolling}>
      <DocumentTitle title={`${name}, ${STATE_PRESENTATION[node.data.row.state].label}`} />
      <NodeHeader node={node.data} />
      <NodeTabs node={node.data} />
    </div>
  );
}

function NodeTabs({ node }: { readonly node: NodeDetail }) {
  const cluster = useClusterId();
  const { view, dropped, push, replace } = useUrlState(nodeUrl);
  const loadBalancers = useNodeLoadBalancers(cluster, node.row.name);
  const behind = loadBalancers.data?.behind ?? 0;
  const differences = compareFacts(node).filter(({ differs }) => differs).length;
  const isOffRoute = routesPart(node)?.drift === "drifted";
  const tabs: readonly Tab<NodeTab>[] = [
    { id: "timeline", label: t`Timeline` },
    {
      id: "facts",
      label: t`Facts`,
      note: differences === 0 ? undefined : t`${differences} differ`,
    },
    { id: "compare", label: t`Compare` },
    { id: "lifecycle", label: t`Lifecycle` },
    { id: "routes", label: t`Routes`, note: isOffRoute ? t`drifted` : undefined },
    { id: "balancers", label: t`Load balancers`, note: behind === 0 ? undefined : String(behind) },
    { id: "events", label: t`Events` },
    { id: "runs", label: t`Runs` },
    { id: "json", label: "JSON" },
  ];
  return (
    <>
      <DroppedNote dropped={dropped} />
      <Tabs
        label={t`About this node`}
        tabs={tabs}
        current={view.tab}
        onChange={(tab) => push((now) => ({ ...now, tab }))}
      >
        <TabPanel node={node} view={view} push={push} replace={replace} />
      </Tabs>
    </>
  );
}

function TabPanel({
  node,
  view,
  push,
  replace,
}: {
  readonly node: NodeDetail;
  readonly view: NodeView;
  readonly push: ChangeView<NodeView>;
  readonly replace: ChangeView<NodeView>;
}) {
  const onPeer = useCallback(
    (peer: string, isChosen: boolean) => (isChosen ? push : replace)((now) => ({ ...now, peer })),
    [push, replace],
  );
  const isWell = node.row.state === "ok" || node.row.state === "gone";
  const late = useFetched(loadLate, view.tab === "compare" || !isWell || undefined);
  switch (view.tab) {
    case "timeline":
      return (
        <>
          <TimelineTab node={node} />
          {late === undefined || isWell ? null : <late.NodeConsequences node={node} />}
        </>
      );
    case "compare":
      return late === undefined ? null : (
        <late.CompareTab node={node} peer={view.peer} onPeer={onPeer} />
      );
    case "facts":
      return (
        <FactsTab node={node} all={view.all} onAll={(all) => push((now) => ({ ...now, all }))} />
      );
    case "lifecycle":
      return <LifecycleTab node={node} />;
    case "routes":
      return <RoutesTab node={node} />;
    case "balancers":
      return <LoadBalancersTab name={node.row.name} />;
    case "events":
      return <EventsTab kind="Node" name={node.row.name} {...eventsOf({ view, push, replace })} />;
    case "runs":
      return <ObjectRunsTab kind="Node" name={node.row.name} />;
    case "json":
      return <JsonView value={node} label={t`Node ${node.row.name}`} />;
  }
}

function Unknown({ name }: { readonly name: string }) {
  const cluster = useClusterId();
  return (
    <EmptyState isPage title={t`No node ${name} is known in this cluster`}>
      <OldTrace kind="Node" name={name} />
      {mixed`Lists keep deleted objects for a limited time.
        ${<Link href={addresses.nodes(cluster)}>{t`Show all nodes`}</Link>} or
        ${<Link href={addresses.runs(cluster, `key:${name}`)}>{t`look for its runs`}</Link>}.`}
    </EmptyState>
  );
}

const NODE_TABS = [
  "timeline",
  "facts",
  "compare",
  "lifecycle",
  "routes",
  "balancers",
  "events",
  "runs",
  "json",
] as const;
type NodeTab = (typeof NODE_TABS)[number];

interface NodeView extends ObjectEventsView {
  readonly tab: NodeTab;
  /** Shows equal facts as well. */
  readonly all: boolean;
  /** The node that it is compared with. */
  readonly peer: string | undefined;
}

const nodeUrl = urlCodec<NodeView>({
  tab: choiceParam("tab", NODE_TABS, "timeline"),
  all: flagParam("all", "1"),
  peer: optionalTextParam("peer"),
  ...OBJECT_EVENT_PARAMS,
});
