import type { Watch } from "@cloudwright/core/controllers/controller-module";
import { NODE_INDEXES } from "@cloudwright/core/controllers/objects/node-object";
import {
  type NodeSightings,
  watchNodes,
} from "@cloudwright/core/controllers/objects/node-sightings";
import { SERVICE_WATCH } from "@cloudwright/core/controllers/service/module";
import { type KubeObject, NODES, type Node } from "@cloudwright/core/kube/client";
import { startInformer } from "@cloudwright/core/kube/informer/informer";
import type { Informer } from "@cloudwright/core/kube/informer/informer-port";
import { stripNode } from "@cloudwright/core/kube/informer/strip";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { moduleOf } from "../../modules.ts";
import type { CloudAccess } from "../cloud/cloud-access.ts";
import { lackOf } from "../controllers/controller-needs.ts";
import { placementHere } from "../placement/placement.ts";
import type { ProcessContext } from "../process-context.ts";
import type { ClusterConnection } from "./connect-cluster.ts";

/** The cluster caches that all loops of this process share; standbys keep them in sync, too. */
export interface ClusterInformers {
  readonly nodes: Informer<Node>;
  /** When each Node was seen, including while another process led. */
  readonly sightings: NodeSightings;
  /** Caches for the watches of controllers that can run here: no right to read others is needed. */
  readonly caches: WatchCaches;
}

/** The part of an informer that does not depend on its kind. */
type Cache = Pick<Informer<KubeObject>, "synced" | "hasSynced" | "silentMs">;

/** The informers of watches that controllers name. */
export class WatchCaches {
  readonly #byWatch = new Map<Watch, { readonly cache: Cache; readonly informer: unknown }>();

  add<T extends KubeObject>(watch: Watch<T>, informer: Informer<T>): void {
    this.#byWatch.set(watch, { cache: informer, informer });
  }

  has(watch: Watch): boolean {
    return this.#byWatch.has(watch);
  }

  /** Returns undefined if no controller that can run here names the watch. */
  find<T extends KubeObject>(watch: Watch<T>): Informer<T> | undefined {
    // It was added as an informer of the watch's own kind.
    return this.#byWatch.get(watch)?.informer as Informer<T> | undefined;
  }

  /** Throws if no controller that can run here names the watch. */
  of<T extends KubeObject>(watch: Watch<T>): Informer<T> {
    const informer = this.find(watch);
    if (informer === undefined) {
      throw new Error(`No controller that runs here watches ${watch.resource.plural}.`);
    }
    return informer;
  }

  all(): readonly { readonly plural: string; readonly cache: Cache }[] {
    return [...this.#byWatch].map(([{ resource }, { cache }]) => ({
      plural: resource.plural,
      cache,
    }));
  }
}

export interface InformersOptions {
  readonly processContext: ProcessContext;
  readonly cluster: ClusterConnection;
  readonly cloud: Pick<CloudAccess, "provider" | "objects">;
}

export function startClusterInformers(
  options: InformersOptions,
  signal: AbortSignal,
): ClusterInformers {
  const { processContext, cloud } = options;
  const { main, migrated } = placementHere(processContext);
  const caches = new WatchCaches();
  const watches = [...main, ...migrated]
    .filter((name) => lackOf(cloud.provider, name) === undefined)
    .flatMap((name) => moduleOf(name).watches);
  const nodes = informerOf<Node>(options, NODE_WATCH, signal);
  for (const watch of watches) {
    if (!caches.has(watch)) caches.add(watch, informerOf(options, watch, signal));
  }
  cloud.objects?.follow({ nodes, services: caches.find(SERVICE_WATCH) });
  return { nodes, sightings: watchNodes(nodes, processContext.clock), caches };
}

const NODE_WATCH: Watch<Node> = { resource: NODES, indexes: NODE_INDEXES, strip: stripNode };

/** Resolves when all informers have their first list. */
export async function informersSynced({ nodes, caches }: ClusterInformers): Promise<void> {
  await Promise.all([nodes.synced, ...caches.all().map(({ cache }) => cache.synced)]);
}

/** Milliseconds since the API server last sent anything on the slowest watch. */
export function watchSilentMs(
  informers: Pick<ClusterInformers, "nodes" | "caches"> | undefined,
): number {
  if (informers === undefined) return 0;
  const all: readonly Cache[] = [
    informers.nodes,
    ...informers.caches.all().map(({ cache }) => cache),
  ];
  return Math.max(...all.map((cache) => cache.silentMs()));
}

function informerOf<T extends KubeObject>(
  { processContext: { clock, random, log }, cluster }: InformersOptions,
  { resource, indexes, strip }: Watch<T>,
  signal: AbortSignal,
): Informer<T> {
  return startInformer<T>({
    client: cluster.client,
    resource,
    ...(indexes === undefined ? {} : { indexes }),
    ...(strip === undefined ? {} : { strip }),
    clock,
    random,
    signal,
    onError: (error) =>
      log.warn({ error: messageOf(error) }, `The watch of ${resource.plural} was interrupted`),
  });
}
