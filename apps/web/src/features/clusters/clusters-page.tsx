"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import { useRouter } from "next/navigation";
import { useCallback, useEffect } from "react";
import { AsOfNote } from "../../components/freshness/freshness-banner.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { DroppedNote } from "../../components/page/page-head.tsx";
import { EmptyState, Pending } from "../../components/page/panel-states.tsx";
import { SearchBox } from "../../components/search-box.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { textParam, urlCodec } from "../../components/url/url-codec.ts";
import { useUrlState } from "../../components/url/use-url-state.ts";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import { worstClusterFirst } from "../../platform/live/cluster-state.ts";
import { useClusters } from "../../platform/live/use-cluster.ts";
import type { SignedIn } from "../../platform/viewer/viewer-context.tsx";
import { ClusterRow } from "./cluster-row.tsx";
import { FleetFrame } from "./fleet-frame.tsx";
import { fleetSentence } from "./fleet-messages.ts";
import { FoundInClusters } from "./found-in-clusters.tsx";
import { SharedCauses } from "./shared-causes.tsx";

const REFETCH_MS = 5_000;

const FLEET_URL = urlCodec<{ readonly text: string }>({ text: textParam("q") });

/** All clusters, worst first, and whatever a text means in any of them; with only one there is nothing to choose. */
export function ClustersPage({ viewer }: { readonly viewer: SignedIn }) {
  const clusters = useClusters({ refetchInterval: REFETCH_MS });
  const router = useRouter();
  const only = clusters.data?.length === 1 ? clusters.data[0] : undefined;
  useEffect(() => {
    if (only !== undefined) router.replace(addresses.overview(only.id));
  }, [only, router]);
  const { data, dataUpdatedAt, readAt, skewMs } = clusters;
  return (
    <FleetFrame
      viewer={viewer}
      readAt={data === undefined ? undefined : dataUpdatedAt}
      skewMs={skewMs}
    >
      {data === undefined || data.length === 0 ? (
        <>
          <h1 className={page.title}>{t`Clusters`}</h1>
          {data === undefined ? <Pending isCard query={clusters} lines={3} /> : <NoCluster />}
        </>
      ) : (
        <Fleet clusters={data} readAt={readAt} skewMs={skewMs} />
      )}
    </FleetFrame>
  );
}

function NoCluster() {
  return (
    <EmptyState isCard title={t`No cluster has reported yet`}>
      {mixed`Start a controller with this database: ${<code>cloudwright controller</code>}. It
        appears here with its first heartbeat, within seconds.`}
    </EmptyState>
  );
}

interface FleetProps {
  readonly clusters: readonly ClusterView[];
  /** By the server's clock. */
  readonly readAt: number;
  readonly skewMs: number;
}

function Fleet(props: FleetProps) {
  const { clusters, readAt } = props;
  const { view, dropped, replace } = useUrlState(FLEET_URL);
  const onText = useCallback((text: string) => replace(() => ({ text })), [replace]);
  const text = view.text.trim();
  return (
    <>
      <header className={page.header}>
        <h1 className={page.title}>{t`Clusters`}</h1>
        <p className="lead second">
          <AsOfNote />
          {fleetSentence(clusters, readAt)}
        </p>
        <Link href={addresses.compare()} className="push">
          {t`Compare versions and flags`}
        </Link>
        <ExportMenu of={{ list: "clusters" }} />
      </header>
      <DroppedNote dropped={dropped} />
      <SearchBox
        label={t`Search all clusters`}
        placeholder={t`Name, IP address, provider ID, UID, or ID of a request, run or action`}
        value={view.text}
        onChange={onText}
      />
      {text === "" ? <ListOfClusters {...props} /> : <FoundInClusters text={text} />}
    </>
  );
}

function ListOfClusters({ clusters, readAt, skewMs }: FleetProps) {
  return (
    <>
      <ul className={page.card} aria-label={t`Clusters, worst first`}>
        {worstClusterFirst(clusters, readAt).map((cluster) => (
          <ClusterRow key={cluster.id} cluster={cluster} readAt={readAt} skewMs={skewMs} />
        ))}
      </ul>
      <SharedCauses clusters={clusters} readAt={readAt} />
    </>
  );
}
