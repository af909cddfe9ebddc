import {
  type KubeObject,
  PERSISTENT_VOLUME_CLAIMS,
  PERSISTENT_VOLUMES,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Resource,
  STORAGE_CLASSES,
  type StorageClass,
} from "@cloudwright/core/kube/client";
import { startInformer } from "@cloudwright/core/kube/informer/informer";
import type { Informer } from "@cloudwright/core/kube/informer/informer-port";
import type { Foundation } from "../foundation.ts";
import { type ClusterConnection, messageOf } from "./connect-cluster.ts";

/** The caches that the volume controller needs; kept warm on standbys, too. */
export interface StorageMirrors {
  readonly volumes: Informer<PersistentVolume>;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly classes: Informer<StorageClass>;
}

export function mirrorStorage(
  foundation: Foundation,
  cluster: ClusterConnection,
  signal: AbortSignal,
): StorageMirrors {
  const mirror = <T extends KubeObject>(resource: Resource) =>
    mirrorOf<T>(foundation, { resource, client: cluster.client }, signal);
  return {
    volumes: mirror<PersistentVolume>(PERSISTENT_VOLUMES),
    claims: mirror<PersistentVolumeClaim>(PERSISTENT_VOLUME_CLAIMS),
    classes: mirror<StorageClass>(STORAGE_CLASSES),
  };
}

/** All of them, to be asked alike. */
export function informersOf(
  storage: StorageMirrors | undefined,
): readonly Pick<Informer<KubeObject>, "synced" | "hasSynced" | "silentMs">[] {
  return storage === undefined ? [] : [storage.volumes, storage.claims, storage.classes];
}

interface Mirrored {
  readonly resource: Resource;
  readonly client: ClusterConnection["client"];
}

function mirrorOf<T extends KubeObject>(
  { clock, random, log }: Foundation,
  { resource, client }: Mirrored,
  signal: AbortSignal,
): Informer<T> {
  return startInformer<T>({
    client,
    resource,
    clock,
    random,
    signal,
    onError: (error) =>
      log.warn({ error: messageOf(error) }, `The watch of ${resource.plural} was interrupted`),
  });
}
