"use client";
import type { ClusterView } from "@cloudwright/store/views";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { useApi } from "../../components/api.ts";
import { Brand } from "../../components/brand.tsx";
import { useIsOld } from "../../components/freshness/freshness.ts";
import { FreshnessBanner } from "../../components/freshness/freshness-banner.tsx";
import { IdentityText } from "../../components/identity-text.tsx";
import { Link } from "../../components/link.tsx";
import page from "../../components/page.module.css";
import { EmptyState, ErrorState, Skeleton } from "../../components/panel-states.tsx";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import { useNow } from "../../components/time/ticker.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { ListFreshness } from "../shell/freshness-provider.tsx";
import shell from "../shell/shell.module.css";
import { clusterSentence, clusterState, worstClusterFirst } from "./cluster-state.ts";
import styles from "./clusters-page.module.css";

/** All clusters, worst first; with only one there is nothing to choose. */
export function ClustersPage() {
  const api = useApi();
  const clusters = useQuery(api.clusters.list.queryOptions(undefined, { refetchInterval: 5_000 }));
  const router = useRouter();
  const only = clusters.data?.length === 1 ? clusters.data[0] : undefined;
  useEffect(() => {
    if (only !== undefined) router.replace(addresses.overview(only.id));
  }, [only, router]);
  const readAt = clusters.data === undefined ? undefined : clusters.dataUpdatedAt;
  return (
    <ListFreshness readAt={readAt}>
      <Page>
        {clusters.data === undefined ? (
          <Waiting error={clusters.error} retry={() => void clusters.refetch()} />
        ) : (
          <ClusterList clusters={clusters.data} readAt={clusters.dataUpdatedAt} />
        )}
      </Page>
    </ListFreshness>
  );
}

function Page({ children }: { readonly children: ReactNode }) {
  const isOld = useIsOld();
  return (
    <div data-old={isOld}>
      <div role="status">
        <FreshnessBanner className={shell.banner} />
      </div>
      <main className={styles.page}>
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
}: {
  readonly clusters: readonly ClusterView[];
  readonly readAt: number;
}) {
  const now = useNow();
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
        <li key={cluster.id} className={styles.row}>
          <StatusChip status={STATE_PRESENTATION[clusterState(cluster, readAt)]} />
          <Link href={addresses.overview(cluster.id)} className={styles.name}>
            {cluster.name}
          </Link>
          <span className={styles.sentence}>{clusterSentence(cluster, now)}</span>
          <span className={styles.quiet}>
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
