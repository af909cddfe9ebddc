"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import { Fragment, type ReactNode } from "react";
import { EmptyState, Pending } from "../../components/page/panel-states.tsx";
import { useClusters } from "../../platform/live/use-cluster.ts";

/** Content for each cluster, the frame's first. */
export function EachCluster({
  first,
  refetchMs,
  none,
  children,
}: {
  /** Id of the frame's cluster, if it has one. */
  readonly first: string | undefined;
  readonly refetchMs: number;
  /** The note while no cluster has reported. */
  readonly none: string;
  /** `readAt` is when it was read, by the server's clock. */
  readonly children: (cluster: ClusterView, readAt: number) => ReactNode;
}) {
  const { readAt, ...clusters } = useClusters({ refetchInterval: refetchMs });
  if (clusters.data === undefined) return <Pending isCard query={clusters} lines={6} />;
  if (clusters.data.length === 0) {
    return (
      <EmptyState isCard title={t`No cluster has reported yet`}>
        {none}
      </EmptyState>
    );
  }
  return clusters.data
    .toSorted((left, right) => Number(right.id === first) - Number(left.id === first))
    .map((cluster) => <Fragment key={cluster.id}>{children(cluster, readAt)}</Fragment>);
}
