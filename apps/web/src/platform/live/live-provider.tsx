"use client";
import type { Stream } from "@cloudwright/core/model/freshness/freshness";
import { useQueryClient } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { useApi } from "../../components/api.ts";
import { useLatest, useShortcuts } from "../../components/shortcuts.ts";
import { createRefetcher } from "./refetcher.ts";
import { probeNow } from "./use-server-probe.ts";

export interface Live {
  readonly stream: Stream;
  readonly setPaused: (paused: boolean) => void;
}

const LiveContext = createContext<Live>({
  stream: { kind: "opening" },
  setPaused: () => undefined,
});

export function useLive(): Live {
  return useContext(LiveContext);
}

/** Listens to changes in the cluster and makes the page refetch just those; `p` pauses it. */
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
  const subscription = useSubscription(
    api.live.changes.subscriptionOptions(
      { cluster },
      { onData: ({ data }) => refresh(data.topics) },
    ),
  );
  const connected = subscription.status === "pending";
  useAnotherTry(subscription);
  const lostAt = useLostAt(connected);
  useShortcuts({ p: () => setPaused(!paused) });
  const stream = streamOf({ paused, connected, hadData: subscription.data !== undefined, lostAt });
  return <LiveContext value={{ stream, setPaused }}>{children}</LiveContext>;
}

/** If there was no free stream, it tries again: another page may have been closed in the meantime. */
const AGAIN_MS = 15_000;

function useAnotherTry({
  status,
  reset,
}: {
  readonly status: string;
  readonly reset: () => void;
}): void {
  const latest = useLatest(reset);
  useEffect(() => {
    if (status !== "error") return undefined;
    const timer = setTimeout(() => latest.current(), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [status, latest]);
}

/** Returns since when the stream has been lost; the server is probed at once. */
function useLostAt(connected: boolean): number | undefined {
  const client = useQueryClient();
  const [lostAt, setLostAt] = useState<number>();
  useEffect(() => {
    setLostAt(connected ? undefined : Date.now());
    if (!connected) probeNow(client);
  }, [connected, client]);
  return lostAt;
}

function streamOf(known: {
  readonly paused: boolean;
  readonly connected: boolean;
  readonly hadData: boolean;
  readonly lostAt: number | undefined;
}): Stream {
  const { paused, connected, hadData, lostAt } = known;
  if (paused) return { kind: "paused" };
  if (connected) return { kind: "open" };
  return hadData && lostAt !== undefined ? { kind: "lost", since: lostAt } : { kind: "opening" };
}

type Topic =
  | "runs"
  | "nodes"
  | "intents"
  | "audit"
  | "instances"
  | "budget"
  | "webhooks"
  | "comments"
  | "incidents"
  | "events";

/** Collects topics and passes them on once per frame; while paused, they wait. */
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
    nodes: [
      ...["nodes", "balancers", "routes", "volumes", "topology"],
      ...["clusters", "overview", "takeover", "changes"],
    ],
    runs: ["runs", "events", "overview", "shadow", "controllers"],
    intents: [
      ...["intents", "approvals", "nodes", "balancers", "routes", "volumes"],
      ...["clusters", "takeover"],
    ],
    audit: ["audit", "overview", "takeover"],
    instances: ["clusters", "shadow"],
    budget: ["budget"],
    webhooks: ["webhooks"],
    comments: ["comments", "runs", "intents"],
    incidents: ["incidents"],
    events: ["events"],
  };
}
