"use client";
import type { ClusterView } from "@cloudwright/store/views";
import { AsOfNote } from "../../components/freshness/as-of-note.tsx";
import { Link } from "../../components/link.tsx";
import page from "../../components/page.module.css";
import { Panel } from "../../components/panel.tsx";
import { EmptyState, FailedPage, PageSkeleton } from "../../components/panel-states.tsx";
import { keepUnits } from "../../components/presentation/keep-units.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { addresses } from "../../components/url/addresses.ts";
import { GuardPanel } from "../../platform/controls/guard-panel.tsx";
import { pauseObstacle } from "../../platform/controls/pause-buttons.tsx";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { controllersSentence } from "./controllers-words.ts";
import { IdlePanel } from "./idle-panel.tsx";
import { PermissionsPanel } from "./permissions-panel.tsx";
import { ProcessesPanel } from "./processes-panel.tsx";
import { RunningPanel } from "./running-panel.tsx";

/** Which loops run, who leads, how each fares, and the way to pause it. */
export function ControllersPage({ cluster }: { readonly cluster: string }) {
  const found = useCluster(cluster);
  useShortcuts({ r: () => void found.refetch() });
  if (found.data === undefined) {
    return (
      <div className={page.scrolling}>
        {found.isError ? (
          <FailedPage title="Controllers" error={found.error} retry={() => void found.refetch()} />
        ) : (
          <PageSkeleton />
        )}
      </div>
    );
  }
  return (
    <div className={page.scrolling}>
      <ControllersView view={found.data} readAt={found.dataUpdatedAt - found.skewMs} />
    </div>
  );
}

function ControllersView({
  view,
  readAt,
}: {
  readonly view: ClusterView;
  /** By the server's clock. */
  readonly readAt: number;
}) {
  const { id: cluster, leader, instances, provider } = view;
  return (
    <>
      <header className={page.header}>
        <h1 className={page.title}>Controllers</h1>
        <p className={page.sentence}>
          <AsOfNote />
          {keepUnits(controllersSentence(view, readAt))}
        </p>
        <span className={page.push} />
        <Link href={addresses.settings("flags")}>What they were started with</Link>
      </header>
      {leader === undefined ? (
        <div className={page.card}>
          <EmptyState title="No controller leads">
            A replica takes the Lease within seconds if one runs. Look at its log and at /healthz
            when none does.
          </EmptyState>
        </div>
      ) : (
        <>
          <PermissionsPanel missing={leader.missingPermissions} />
          <RunningPanel cluster={cluster} leader={leader} />
          <IdlePanel leader={leader} provider={provider} />
        </>
      )}
      <ProcessesPanel instances={instances} readAt={readAt} />
      {leader === undefined ? null : (
        <Panel title="Safety">
          <GuardPanel
            cluster={cluster}
            guard={leader.controls?.guard}
            obstacle={pauseObstacle(leader)}
          />
        </Panel>
      )}
    </>
  );
}
