import {
  type NodeSightings,
  watchNodes,
} from "@cloudwright/core/controllers/objects/node-sightings";
import { SERVICE_INDEXES } from "@cloudwright/core/controllers/service/orphans/observe";
import { type Node, SERVICES, type Service } from "@cloudwright/core/kube/client";
import { startInformer } from "@cloudwright/core/kube/informer/informer";
import type { Informer } from "@cloudwright/core/kube/informer/informer-port";
import { stripService } from "@cloudwright/core/kube/informer/strip";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { CloudAccess } from "../cloud/cloud-access.ts";
import { lackOf } from "../controllers/controller-needs.ts";
import type { Foundation } from "../foundation.ts";
import { placementHere } from "../placement/placement-here.ts";
import { type ClusterConnection, messageOf, mirrorNodes } from "./connect-cluster.ts";
import { informersOf, mirrorStorage, type StorageMirrors } from "./mirror-storage.ts";

/** The caches of the cluster that all loops of this process share; kept warm on standbys, too. */
export interface Mirrors {
  readonly nodes: Informer<Node>;
  /** What was seen of each of them, also while another process led. */
  readonly sightings: NodeSightings;
  /** Undefined when nothing here has to do with Services: then no right to read them is needed. */
  readonly services: Informer<Service> | undefined;
  /** Undefined when nothing here has to do with volumes: then no right to read them is needed. */
  readonly storage: StorageMirrors | undefined;
}

export interface MirrorsOptions {
  readonly foundation: Foundation;
  readonly cluster: ClusterConnection;
  readonly cloud: Pick<CloudAccess, "provider">;
}

export function startMirrors(options: MirrorsOptions, signal: AbortSignal): Mirrors {
  const { foundation, cluster, cloud } = options;
  const { main, migrated } = placementHere(foundation);
  const selected = [...main, ...migrated];
  const isWanted = (name: ControllerName) =>
    selected.includes(name) && lackOf(cloud.provider, name) === undefined;
  const isServing = isWanted("service-lb-controller");
  const isStoring = isWanted("volume-label-controller");
  const nodes = mirrorNodes(foundation, cluster, signal);
  return {
    nodes,
    sightings: watchNodes(nodes, foundation.clock),
    services: isServing ? mirrorServices(foundation, cluster, signal) : undefined,
    storage: isStoring ? mirrorStorage(foundation, cluster, signal) : undefined,
  };
}

/** Resolves when all of them have their first list. */
export async function mirrorsSynced({ nodes, services, storage }: Mirrors): Promise<void> {
  await Promise.all([nodes, services, ...informersOf(storage)].map((mirror) => mirror?.synced));
}

/** Milliseconds since the API server last sent anything on the slowest watch. */
export function watchSilentMs({ nodes, services, storage }: Partial<Mirrors>): number {
  const mirrors = [nodes, services, ...informersOf(storage)];
  return Math.max(...mirrors.map((mirror) => mirror?.silentMs() ?? 0));
}

function mirrorServices(
  { clock, random, log }: Foundation,
  { client }: ClusterConnection,
  signal: AbortSignal,
): Informer<Service> {
  return startInformer<Service>({
    client,
    resource: SERVICES,
    indexes: SERVICE_INDEXES,
    strip: stripService,
    clock,
    random,
    signal,
    onError: (error) =>
      log.warn({ error: messageOf(error) }, "The watch of services was interrupted"),
  });
}
