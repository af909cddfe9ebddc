"use client";
import type { BalancerCounts } from "@cloudwright/store/balancer-views";
import { DroppedNote } from "../../components/dropped-note.tsx";
import page from "../../components/page.module.css";
import { PageHead } from "../../components/page-head.tsx";
import { formatCount } from "../../components/presentation/format-count.ts";
import { type Tab, Tabs } from "../../components/tabs.tsx";
import { useUrlState } from "../../components/url/use-url-state.ts";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { useHealth } from "../../platform/live/use-health.ts";
import { balancersSentence } from "./load-balancers-sentence.ts";
import { type BalancersTab, balancersUrl, withView } from "./load-balancers-url.ts";
import { OrphansTab } from "./orphans-tab.tsx";
import { ServicesTab } from "./services-tab.tsx";

/** Every Service with its load balancer, and the load balancers that have none (UX brief, section 6). */
export function LoadBalancersPage({ cluster }: { readonly cluster: string }) {
  const { view, dropped, push, replace } = useUrlState(balancersUrl);
  const counts = useCluster(cluster).data?.balancers;
  const { alarms } = useHealth(cluster, ["Service"]);
  return (
    <div className={page.page}>
      <PageHead
        title="Load balancers"
        alarm={alarms}
        sentence={counts === undefined ? undefined : balancersSentence(counts)}
      />
      <DroppedNote dropped={dropped} />
      <Tabs
        label="Lists"
        tabs={tabsOf(counts)}
        current={view.view}
        onChange={(chosen) => push((now) => withView(now, chosen))}
      >
        {view.view === "orphans" ? (
          <OrphansTab cluster={cluster} view={view} push={push} replace={replace} />
        ) : (
          <ServicesTab cluster={cluster} view={view} push={push} replace={replace} />
        )}
      </Tabs>
    </div>
  );
}

function tabsOf(counts: BalancerCounts | undefined): readonly Tab<BalancersTab>[] {
  const orphans = counts?.orphans ?? 0;
  return [
    { id: "services", label: "Services" },
    { id: "orphans", label: "Orphans", note: orphans === 0 ? undefined : formatCount(orphans) },
  ];
}
