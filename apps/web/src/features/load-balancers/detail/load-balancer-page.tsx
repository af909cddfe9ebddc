"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { LoadBalancerView } from "@cloudwright/store/views/load-balancers";
import { useQuery } from "@tanstack/react-query";
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
import { useClusterId, useUrlState } from "../../../components/url/use-url-state.ts";
import { OldTrace } from "../../../platform/objects/late-trace.ts";
import { eventsOf } from "../../../platform/objects/object-events-url.ts";
import { DocumentTitle } from "../../../platform/shell/document-title.tsx";
import { countDifferences } from "./aspects.ts";
import { DesiredTab } from "./desired-tab.tsx";
import { LoadBalancerHeader } from "./load-balancer-header.tsx";
import {
  type LoadBalancerTab,
  type LoadBalancerTabProps,
  loadBalancerUrl,
} from "./load-balancer-url.ts";

// Tabs with a table, which nothing else on the page needs.
const MembersTab = late(() => import("./members-tab.tsx").then((tab) => tab.MembersTab));
const EventsTab = late(() => import("./events-tab.tsx").then((tab) => tab.EventsTab));
const ObjectEventsTab = late(() =>
  import("../../../platform/objects/object-events-tab.tsx").then((tab) => tab.ObjectEventsTab),
);
const ObjectRunsTab = late(() =>
  import("../../../platform/runs/object-runs-tab.tsx").then((tab) => tab.ObjectRunsTab),
);

interface Props {
  readonly namespace: string;
  readonly name: string;
}

/** Everything that is known about the load balancer of one Service (UX brief, section 6). */
export function LoadBalancerPage({ namespace, name }: Props) {
  const cluster = useClusterId();
  const api = useApi();
  const loadBalancer = useQuery(api.balancers.byName.queryOptions({ cluster, namespace, name }));
  useShortcuts({ r: () => void loadBalancer.refetch() });
  useTrailKeys();
  const service = `${namespace}/${name}`;
  if (loadBalancer.data === undefined) {
    return (
      <PendingPage title={service} query={loadBalancer} notFound={<Unknown service={service} />} />
    );
  }
  const { row } = loadBalancer.data;
  return (
    <div className={page.scrolling}>
      <DocumentTitle title={`${service}, ${STATE_PRESENTATION[row.state].label}`} />
      <LoadBalancerHeader loadBalancer={loadBalancer.data} />
      <LoadBalancerTabs loadBalancer={loadBalancer.data} />
    </div>
  );
}

function LoadBalancerTabs({ loadBalancer }: { readonly loadBalancer: LoadBalancerView }) {
  const { view, dropped, push, replace } = useUrlState(loadBalancerUrl);
  return (
    <>
      <DroppedNote dropped={dropped} />
      <Tabs
        label={t`About this load balancer`}
        tabs={tabsOf(loadBalancer)}
        current={view.tab}
        onChange={(tab) => push((now) => ({ ...now, tab }))}
      >
        <TabPanel loadBalancer={loadBalancer} view={view} push={push} replace={replace} />
      </Tabs>
    </>
  );
}

function tabsOf({ detail }: LoadBalancerView): readonly Tab<LoadBalancerTab>[] {
  const differences = detail?.actual === undefined ? 0 : countDifferences(detail);
  const members = detail?.members.length ?? 0;
  return [
    {
      id: "desired",
      label: t`Desired and actual`,
      note: differences === 0 ? undefined : t`${differences} differ`,
    },
    { id: "members", label: t`Members`, note: members === 0 ? undefined : String(members) },
    { id: "events", label: t`Events` },
    { id: "runs", label: t`Runs` },
    { id: "json", label: "JSON" },
  ];
}

function TabPanel(props: LoadBalancerTabProps) {
  const { loadBalancer, view } = props;
  const service = loadBalancer.row.name;
  switch (view.tab) {
    case "desired":
      return <DesiredTab {...props} />;
    case "members":
      return <MembersTab {...props} />;
    case "events":
      return (
        <>
          <ObjectEventsTab kind="Service" name={service} {...eventsOf(props)} />
          <h2 className="lead bold">{t`What was done and requested`}</h2>
          <EventsTab service={service} />
        </>
      );
    case "runs":
      return <ObjectRunsTab kind="Service" name={service} />;
    case "json":
      return <JsonView value={loadBalancer} label={`Service ${service}`} />;
  }
}

function Unknown({ service }: { readonly service: string }) {
  const cluster = useClusterId();
  return (
    <EmptyState isPage title={t`No load balancer of a Service ${service} is known in this cluster`}>
      <OldTrace kind="Service" name={service} />
      {mixed`Lists keep deleted objects for a limited time.
        ${<Link href={addresses.balancers(cluster)}>{t`Show all load balancers`}</Link>} or
        ${<Link href={addresses.runs(cluster, `key:${service}`)}>{t`look for its runs`}</Link>}.`}
    </EmptyState>
  );
}
