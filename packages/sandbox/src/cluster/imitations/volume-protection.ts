import type { Registry } from "../registry/context.ts";
import type { ApiObject } from "../resources/metadata.ts";
import { persistentVolumes, VOLUME_FINALIZER } from "../resources/volumes/persistent-volume.ts";
import {
  CLAIM_FINALIZER,
  persistentVolumeClaims,
} from "../resources/volumes/persistent-volume-claim.ts";
import type { PersistentVolume } from "../resources/volumes/persistent-volume-schema.ts";
import type { Revision } from "../state/revision.ts";

/**
 * Imitates kube-controller-manager's two controllers that release deleted volumes and claims when unused: a volume is in use while it is
 * bound; a claim never is, since the sandbox runs no pods. Returns a function that stops it.
 */
export function releaseVolumes(registry: Registry): () => void {
  const { store } = registry;
  for (const { storage } of PROTECTED) {
    for (const { key } of store.list({ storage, prefix: "" }).revisions) {
      release(registry, storage, key);
    }
  }
  return store.listen(({ kind, storage, revision }) => {
    const isProtected = PROTECTED.some((candidate) => candidate.storage === storage);
    // In a later turn, when the write that triggered this is complete for everybody.
    if (isProtected && kind !== "deleted") {
      setImmediate(() => release(registry, storage, revision.key));
    }
  });
}

interface Protection {
  readonly storage: string;
  readonly finalizer: string;
  readonly isInUse: (object: ApiObject) => boolean;
}

const PROTECTED: readonly Protection[] = [
  {
    storage: persistentVolumes.storage,
    finalizer: VOLUME_FINALIZER,
    // This storage holds only volumes decoded by their schema.
    isInUse: (object) => (object as PersistentVolume).status.phase === "Bound",
  },
  {
    storage: persistentVolumeClaims.storage,
    finalizer: CLAIM_FINALIZER,
    isInUse: () => false,
  },
];

function release({ store }: Registry, storage: string, key: string): void {
  const found = store.get(storage, key);
  const protection = PROTECTED.find((candidate) => candidate.storage === storage);
  if (found === undefined || protection === undefined || !isDue(protection, found)) return;
  const { metadata } = found.object;
  const finalizers = (metadata.finalizers ?? []).filter((name) => name !== protection.finalizer);
  if (finalizers.length === 0) store.remove(storage, key);
  else store.put(storage, key, { ...found.object, metadata: { ...metadata, finalizers } });
}

function isDue({ finalizer, isInUse }: Protection, { object }: Revision): boolean {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  return deletionTimestamp !== undefined && finalizers.includes(finalizer) && !isInUse(object);
}
