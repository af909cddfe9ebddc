"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { useApi } from "../../components/api.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { useLatest } from "../../components/use-latest.ts";
import { createRefetcher } from "./refetcher.ts";

export type LiveStatus = "live" | "connecting" | "reconnecting" | "paused";

export interface Live {
  readonly status: LiveStatus;
  /** Since when the stream has been lost, milliseconds since the epoch. */
  readonly lostAt: number | undefined;
  readonly setPaused: (paused: boolean) => void;
}

const LiveContext = createContext<Live>({
  status: "connecting",
  lostAt: undefined,
  setPaused: () => undefined,
});

export function useLive(): Live {
  return useContext(LiveContext);
}

/** Listens to what changes in the cluster and has the page ask again for just that; `p` pauses it. */
export function LiveProvider({
  cluster,
  children,
}: {
  readonly cluster: string;
  readonly children: ReactNode;
}) {
  const api = useApi();
  const [paused, setPaused] = useState(false);
  const refresh = useRefresh(paused);
  const stream = useSubscription(
    api.live.changes.subscriptionOptions(
      { cluster },
      { onData: ({ data }) => refresh(data.topics) },
    ),
  );
  const [lostAt, setLostAt] = useState<number>();
  const connected = stream.status === "pending";
  useEffect(() => setLostAt(connected ? undefined : Date.now()), [connected]);
  useShortcuts({ p: () => setPaused(!paused) });
  const status = paused ? "paused" : connected ? "live" : beforeFirst(stream.data !== undefined);
  return <LiveContext value={{ status, lostAt, setPaused }}>{children}</LiveContext>;
}

function beforeFirst(hadData: boolean): LiveStatus {
  return hadData ? "reconnecting" : "connecting";
}

type Topic = "runs" | "nodes" | "intents" | "audit" | "instances" | "budget";

/** Collects topics and hands them on once a frame; while paused they wait. */
function useRefresh(paused: boolean): (topics: readonly Topic[]) => void {
  const queryClient = useQueryClient();
  const [refetch] = useState(() => createRefetcher(queryClient));
  const keys = useTopicKeys();
  const waiting = useRef(new Set<Topic>());
  const frame = useRef<number>(undefined);
  const flush = () => {
    frame.current = undefined;
    const topics = [...waiting.current];
    waiting.current.clear();
    for (const key of new Set(topics.flatMap((topic) => keys[topic]))) refetch(key);
  };
  const latest = useLatest(flush);
  useEffect(() => {
    if (!paused && waiting.current.size > 0) latest.current();
  }, [paused, latest]);
  return (topics) => {
    for (const topic of topics) waiting.current.add(topic);
    if (!paused) frame.current ??= requestAnimationFrame(() => latest.current());
  };
}

function useTopicKeys(): Readonly<Record<Topic, readonly string[]>> {
  return {
    nodes: ["nodes", "balancers", "routes", "volumes", "clusters", "overview"],
    runs: ["runs", "overview", "shadow", "controllers"],
    intents: ["intents", "nodes", "balancers", "routes", "volumes", "clusters"],
    audit: ["audit", "overview"],
    instances: ["clusters", "shadow"],
    budget: ["budget"],
  };
}
