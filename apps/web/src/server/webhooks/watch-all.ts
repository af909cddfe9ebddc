import type { Database } from "@cloudwright/store/database/database";
import { type WatchedWebhook, watchedWebhooks } from "@cloudwright/store/webhooks/alarms";
import type { ChainWatch } from "./watch-chains.ts";
import { ACCOUNTS, watchCluster } from "./watch-clusters.ts";

export interface WatchAllOptions {
  readonly db: Database;
  readonly now: () => number;
  readonly chains: Pick<ChainWatch, "found">;
  /** Messages were added. */
  readonly onAdded: () => void;
}

/** The clusters of which something was reported, and those at which it is time to look. */
export interface WatchAll {
  /** Something of it has changed. */
  mark(cluster: string): void;
  /** Nobody knows what has changed. */
  markAll(): Promise<void>;
  /** Looks at those that are marked or due; answers when the next one is due. */
  look(): Promise<number | undefined>;
}

export function watchAll({ db, now, chains, onAdded }: WatchAllOptions): WatchAll {
  const marked = new Set<string>();
  /** When a cluster is to be looked at although nothing is reported of it. */
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
      // Taken off before it is looked at: what changes meanwhile marks it again.
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
