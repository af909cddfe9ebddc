"use client";
import { staleNote } from "@cloudwright/core/model/freshness/freshness-messages";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { useIsOld } from "../../components/freshness/freshness.ts";
import { AsOfNote, FreshnessBanner } from "../../components/freshness/freshness-banner.tsx";
import { IdentityText } from "../../components/identity-text.tsx";
import { Link } from "../../components/link.tsx";
import { Brand } from "../../components/page/brand.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState, ErrorState, Skeleton } from "../../components/page/panel-states.tsx";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { useNow } from "../../components/time/ticker.ts";
import { TimeText, useTimeLabels } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { ClockNote } from "../../platform/live/clock-note.tsx";
import {
  clusterSentence,
  clusterSilence,
  clusterState,
  worstClusterFirst,
} from "../../platform/live/cluster-state.ts";
import { ListFreshness } from "../../platform/live/freshness-provider.tsx";
import { useClusters } from "../../platform/live/use-cluster.ts";
import shell from "../../platform/shell/shell.module.css";
import styles from "./clusters-page.module.css";

const REFETCH_MS = 5_000;

/** All clusters, worst first; with only one there is nothing to choose. */
export function ClustersPage() {
  const clusters = useClusters({ refetchInterval: REFETCH_MS });
  const router = useRouter();
  const only = clusters.data?.length === 1 ? clusters.data[0] : undefined;
  useEffect(() => {
    if (only !== undefined) router.replace(addresses.overview(only.id));
  }, [only, router]);
  const { data, dataUpdatedAt, readAt, skewMs } = clusters;
  return (
    <ListFreshness readAt={data === undefined ? undefined : dataUpdatedAt}>
      <Page skewMs={skewMs}>
        {data === undefined ? (
          <Waiting error={clusters.error} retry={() => void clusters.refetch()} />
        ) : (
          <ClusterList clusters={data} readAt={readAt} skewMs={skewMs} />
        )}
      </Page>
    </ListFreshness>
  );
}

function Page({ skewMs, children }: { readonly skewMs: number; readonly children: ReactNode }) {
  const isOld = useIsOld();
  return (
    <div data-old={isOld}>
      <div role="status">
        <FreshnessBanner className={shell.banner} />
        <ClockNote skewMs={skewMs} />
      </div>
      <main className={`grid gap-4 from-top ${styles.page}`}>
        <Brand />
        <h1 className={page.title}>Clusters</h1>
        <div className={page.card}>{children}</div>
      </main>
    </div>
  );
}

function Waiting({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  return error === null ? <Skeleton lines={3} /> : <ErrorState error={error} retry={retry} />;
}

function ClusterList({
  clusters,
  readAt,
  skewMs,
}: {
  readonly clusters: readonly ClusterView[];
  /** By the server's clock. */
  readonly readAt: number;
  readonly skewMs: number;
}) {
  const now = useNow() - skewMs;
  if (clusters.length === 0) {
    return (
      <EmptyState title="No cluster has reported yet">
        Start a controller with this database: <code>cloudwright controller</code>. It appears here
        with its first heartbeat, within seconds.
      </EmptyState>
    );
  }
  return (
    <ul>
      {worstClusterFirst(clusters, readAt).map((cluster) => (
        <li key={cluster.id} className={`grid centred gap-2-4 pad-3-4 ${styles.row}`}>
          <StatusChip status={STATE_PRESENTATION[clusterState(cluster, readAt)]} />
          <Link href={addresses.overview(cluster.id)} className="strong">
            {cluster.name}
          </Link>
          <span className={`second ${styles.sentence}`}>
            <OldNote cluster={cluster} readAt={readAt} />
            {clusterSentence(cluster, now)}
          </span>
          <span className={`small quiet ${styles.quiet}`}>
            {cluster.leader === undefined ? (
              "No leader"
            ) : (
              <>
                Leader <IdentityText identity={cluster.leader.identity} />
              </>
            )}{" "}
            · last report <TimeText at={cluster.lastHeardAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Before what is said of a cluster: since when it is not known, be it that its leader is silent or this page. */
function OldNote({ cluster, readAt }: { readonly cluster: ClusterView; readonly readAt: number }) {
  const time = useTimeLabels();
  const since = clusterSilence(cluster, readAt);
  return since === undefined ? <AsOfNote /> : <strong>{staleNote(since, time)} </strong>;
}
