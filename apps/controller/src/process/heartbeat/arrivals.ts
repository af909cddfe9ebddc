import { SERVICE_WATCH } from "@cloudwright/core/controllers/service/module";
import type { Node, Service } from "@cloudwright/core/kube/client";
import type { Informer, InformerEvent } from "@cloudwright/core/kube/informer/informer-port";
import type { Clock } from "@cloudwright/core/model/time";
import type { WatchCaches } from "../../wiring/cluster/cluster-informers.ts";

interface Watched {
  readonly nodes: Pick<Informer<Node>, "subscribe">;
  readonly caches: Pick<WatchCaches, "find">;
}

/** Arrivals within this many milliseconds are announced together. */
const TOGETHER_MS = 500;

/**
 * Calls back when Nodes or Services have appeared, those of the first lists included: immediately for the first, then every 500
 * ms while more follow. Pages only know the objects that the ledger has heard of.
 */
export function followArrivals(
  { nodes, caches }: Watched,
  { clock, onArrival }: { readonly clock: Pick<Clock, "after">; onArrival(): void },
): void {
  let isPausing = false;
  let hasMore = false;

  function announce(): void {
    isPausing = true;
    hasMore = false;
    clock.after(TOGETHER_MS, () => {
      isPausing = false;
      if (hasMore) announce();
    });
    onArrival();
  }

  function heed({ kind }: InformerEvent<Node> | InformerEvent<Service>): void {
    if (kind !== "added") return;
    if (isPausing) hasMore = true;
    else announce();
  }

  nodes.subscribe(heed);
  caches.find(SERVICE_WATCH)?.subscribe(heed);
}
