"use client";
import {
  type Freshness,
  type FreshnessFacts,
  judgeFreshness,
} from "@cloudwright/core/model/freshness/freshness";
import { type Query, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useState, useSyncExternalStore } from "react";
import { FreshnessContext, IsOldContext } from "../../components/freshness/freshness.ts";
import { problemOf } from "../../components/problem.ts";
import { useNow } from "../../components/time/ticker.ts";
import { clusterFacts } from "./cluster-facts.ts";
import { useLive } from "./live-provider.tsx";
import { useCluster } from "./use-cluster.ts";
import { useServerProbe } from "./use-server-probe.ts";

/** Judges, once for the page, how fresh its data about a cluster is. */
export function ClusterFreshness({
  cluster,
  children,
}: {
  readonly cluster: string;
  readonly children: ReactNode;
}) {
  const { data, dataUpdatedAt, skewMs } = useCluster(cluster);
  const { stream } = useLive();
  const own = {
    stream,
    readAt: data === undefined ? undefined : dataUpdatedAt,
    cluster: data === undefined ? undefined : clusterFacts(data, skewMs),
  };
  return <Judged own={own}>{children}</Judged>;
}

/** The same for a page of many clusters, which polls: each cluster is judged separately. */
export function ListFreshness({
  readAt,
  children,
}: {
  readonly readAt: number | undefined;
  readonly children: ReactNode;
}) {
  return <Judged own={{ stream: { kind: "open" }, readAt, cluster: undefined }}>{children}</Judged>;
}

function Judged({
  own,
  children,
}: {
  readonly own: Pick<FreshnessFacts, "stream" | "readAt" | "cluster">;
  readonly children: ReactNode;
}) {
  const probe = useServerProbe();
  const keptSince = useKeptSince();
  const now = useNow();
  const freshness = useSteady(judgeFreshness({ ...probe, ...own, keptSince, now }));
  return (
    <FreshnessContext value={freshness}>
      <IsOldContext value={freshness.isOld}>{children}</IsOldContext>
    </FreshnessContext>
  );
}

/** Returns the same object as long as its content is the same, because it is judged each second. */
function useSteady(judged: Freshness): Freshness {
  const [steady, setSteady] = useState(judged);
  const isSame = JSON.stringify(steady) === JSON.stringify(judged);
  if (!isSame) setSteady(judged);
  return isSame ? steady : judged;
}

/** Returns since when a part of the page has been stale because the server refused to answer for it again; undefined if none is. */
function useKeptSince(): number | undefined {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const read = () => {
    const kept = cache.getAll().filter(isKept);
    return kept.length === 0
      ? undefined
      : Math.min(...kept.map(({ state }) => state.dataUpdatedAt));
  };
  return useSyncExternalStore(subscribe, read, () => undefined);
}

/** For these errors another link is judged as broken, or the user is sent to sign in. */
const ELSEWHERE = new Set(["NO_ANSWER", "SERVICE_UNAVAILABLE", "UNAUTHORIZED"]);

function isKept(query: Query): boolean {
  const { status, data, error } = query.state;
  return (
    status === "error" &&
    data !== undefined &&
    query.isActive() &&
    !ELSEWHERE.has(problemOf(error).code)
  );
}
