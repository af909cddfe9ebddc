import type { Database } from "@cloudwright/store/database/database";
import { type WatchedWebhook, watchedWebhooks } from "@cloudwright/store/webhooks/alarms";
import type { ChainWatch } from "./watch-chains.ts";
import { ACCOUNTS, watchCluster } from "./watch-clusters.ts";

export interface WatchAllOptions {
  readonly db: Database;
  readonly now: () => number;
  readonly chains: Pick<ChainWatch, "found">;
  /** Called when messages were added. */
  readonly onAdded: () => void;
}

/** Tracks the clusters with reported changes, and those that are due for a check. */
export interface WatchAll {
  /** Marks a cluster that has changed. */
  mark(cluster: string): void;
  /** Marks all clusters, when nobody knows what has changed. */
  markAll(): Promise<void>;
  /** Checks the marked and due clusters; returns when the next one is due. */
  look(): Promise<number | undefined>;
}

export function watchAll({ db, now, chains, onAdded }: WatchAllOptions): WatchAll {
  const marked = new Set<string>();
  /** When each cluster is due for a check without a reported change. */
  const dues = new Map<string, number>();
  const lookAt = async (cluster: string, webhooks: readonly WatchedWebhook[]) => {
    const chain = chains.found(cluster);
    const { added, dueAt } = await watchCluster({ db, cluster, webhooks, chain, now: now() });
    if (dueAt === undefined) dues.delete(cluster);
    else dues.set(cluster, dueAt);
    if (added > 0) onAdded();
  };
  return {
    mark: (cluster) => void marked.add(cluster),
    async markAll() {
      const known = await db.prisma.cluster.findMany({ select: { id: true } });
      for (const { id } of known) marked.add(id);
      marked.add(ACCOUNTS);
    },
    async look() {
      for (const [cluster, at] of dues) if (at <= now()) marked.add(cluster);
      const webhooks = await watchedWebhooks(db);
      // Unmarked before the check, so that a change in the meantime marks it again.
      for (const cluster of [...marked]) {
        marked.delete(cluster);
        await lookAt(cluster, webhooks).catch((error: unknown) => {
          marked.add(cluster);
          throw error;
        });
      }
      return dues.size === 0 ? undefined : Math.min(...dues.values());
    },
  };
}
