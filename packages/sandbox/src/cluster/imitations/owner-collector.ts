import { keyOf, type Registry } from "../registry/context.ts";
import { deleteObject } from "../registry/delete.ts";
import { apiVersionOf, CATALOGUE } from "../resources/catalogue.ts";
import type { ResourceDefinition } from "../resources/definition.ts";
import type { ApiObject, OwnerReference } from "../resources/metadata.ts";
import type { Revision, StoreChange } from "../state/revision.ts";

const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";

/**
 * As far as the sandbox needs it, kube-controller-manager's garbage collector: an object whose owners are all gone is deleted
 * (a node's Lease above all), and the finalizers that wait for the collector come off. Answers how to stop.
 */
export function collectOrphans(registry: Registry): () => void {
  for (const definition of storedKinds()) {
    for (const revision of revisionsOf(registry, definition)) {
      inspect(registry, definition, revision);
    }
  }
  return registry.store.listen((change) => {
    setImmediate(() => react(registry, change));
  });
}

function react(registry: Registry, change: StoreChange): void {
  const { kind, storage, revision } = change;
  if (kind === "deleted") {
    collectDependents(registry, revision.object.metadata.uid ?? "");
    return;
  }
  const definition = storedKinds().find((candidate) => candidate.storage === storage);
  const current = registry.store.get(storage, revision.key);
  if (definition !== undefined && current !== undefined) inspect(registry, definition, current);
}

function inspect(registry: Registry, definition: ResourceDefinition, revision: Revision): void {
  const { metadata } = revision.object;
  if (metadata.deletionTimestamp !== undefined) releaseFinalizers(registry, definition, revision);
  else if (isOrphan(registry, revision.object)) remove(registry, definition, revision.object);
}

function collectDependents(registry: Registry, ownerUid: string): void {
  for (const definition of storedKinds()) {
    for (const { object } of revisionsOf(registry, definition)) {
      const owners = object.metadata.ownerReferences ?? [];
      const isDependent = owners.some(({ uid }) => uid === ownerUid);
      if (isDependent && isOrphan(registry, object)) remove(registry, definition, object);
    }
  }
}

function isOrphan(registry: Registry, object: ApiObject): boolean {
  const owners = object.metadata.ownerReferences ?? [];
  return owners.length > 0 && owners.every((owner) => isGone(registry, owner, object));
}

/** An owner of a kind that is not kept here is taken to live. */
function isGone(registry: Registry, owner: OwnerReference, dependent: ApiObject): boolean {
  const definition = CATALOGUE.find(
    (candidate) => candidate.kind === owner.kind && apiVersionOf(candidate) === owner.apiVersion,
  );
  if (definition === undefined) return false;
  const namespace = definition.namespaced ? dependent.metadata.namespace : undefined;
  const found = registry.store.get(definition.storage, keyOf(namespace, owner.name));
  return found?.object.metadata.uid !== owner.uid;
}

function remove(registry: Registry, definition: ResourceDefinition, object: ApiObject): void {
  const { name = "", namespace, uid, deletionTimestamp } = object.metadata;
  if (deletionTimestamp !== undefined) return;
  const target = { definition, name, ...(namespace === undefined ? {} : { namespace }) };
  const current = registry.store.get(definition.storage, keyOf(namespace, name));
  if (current?.object.metadata.uid === uid) deleteObject(registry, target, {});
}

function releaseFinalizers(
  registry: Registry,
  definition: ResourceDefinition,
  { key, object }: Revision,
): void {
  const finalizers = object.metadata.finalizers ?? [];
  const kept = finalizers.filter((name) => name !== FOREGROUND && name !== ORPHAN);
  if (kept.length === finalizers.length) return;
  if (kept.length === 0) registry.store.remove(definition.storage, key);
  else {
    const metadata = { ...object.metadata, finalizers: kept };
    registry.store.put(definition.storage, key, { ...object, metadata });
  }
}

function revisionsOf(registry: Registry, { storage }: ResourceDefinition): readonly Revision[] {
  return registry.store.list({ storage, prefix: "" }).revisions;
}

function storedKinds(): readonly ResourceDefinition[] {
  return CATALOGUE.filter(({ view }) => view === undefined);
}
