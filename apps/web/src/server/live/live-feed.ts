import { listen } from "@cloudwright/store/database/listen";
import {
  PAGES_CHANNEL,
  parseTopicWake,
  TOPICS,
  type Topic,
} from "@cloudwright/store/database/topics";
import { environment } from "../environment.ts";
import { log } from "../log.ts";
import { processWide } from "../process-wide.ts";
import { shutdown } from "../shutdown.ts";

type Listener = (topics: readonly Topic[]) => void;

export interface LiveFeed {
  /** Calls back with what has changed in a cluster; the returned function unsubscribes. */
  subscribe(cluster: string, listener: Listener): () => void;
  /** Calls back when users, their roles or their sessions may have changed, before the other listeners are notified. */
  onAccounts(listener: () => void): () => void;
}

/** Returns the one connection on which this process is notified of changes, fanned out to all open pages. */
export function liveFeed(): LiveFeed {
  return processWide("live-feed", startFeed);
}

function startFeed(): LiveFeed {
  const listeners = new Map<string, Set<Listener>>();
  const ofAccounts = new Set<() => void>();
  const report = (cluster: string, topics: readonly Topic[]) => {
    for (const listener of listeners.get(cluster) ?? []) listener(topics);
  };
  const notifyAll = (topics: readonly Topic[]) => {
    for (const listener of ofAccounts) listener();
    for (const cluster of listeners.keys()) report(cluster, topics);
  };
  listen({
    databaseUrl: environment().databaseUrl,
    channels: [PAGES_CHANNEL],
    signal: shutdown().signal,
    handler: (wake) => {
      // After a reconnect nobody knows what was missed, so every page refetches.
      if (wake.resync) return notifyAll(TOPICS);
      const parsed = parseTopicWake(wake.payload);
      if (parsed?.cluster !== undefined) report(parsed.cluster, [parsed.topic]);
      else if (parsed !== undefined) notifyAll([parsed.topic]);
    },
    onError: (error) =>
      log.warn("The live connection to the database was lost", { error: String(error) }),
  });
  return {
    subscribe(cluster, listener) {
      const set = listeners.get(cluster) ?? new Set<Listener>();
      listeners.set(cluster, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(cluster) === set) listeners.delete(cluster);
      };
    },
    onAccounts(listener) {
      ofAccounts.add(listener);
      return () => ofAccounts.delete(listener);
    },
  };
}
