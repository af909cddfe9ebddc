import { keyOf, type Registry } from "../registry/context.ts";
import { deleteObject } from "../registry/delete.ts";
import { apiVersionOf, CATALOGUE } from "../resources/catalogue.ts";
import type { ResourceDefinition } from "../resources/definition.ts";
import type { ApiObject, OwnerReference } from "../resources/metadata.ts";
import type { Revision, StoreChange } from "../state/revision.ts";

const FOREGROUND = "foregroundDeletion";
const ORPHAN = "orphan";

/**
 * Imitates kube-controller-manager's garbage collector as far as the sandbox needs it: deletes an object whose owners are all gone (mainly
 * a node's Lease), and removes the finalizers that wait for the collector. Returns a function that stops it.
 */
export function collectOrphans(registry: Registry): () => void {
  const collector = new Collector(registry);
  for (const definition of storedKinds()) {
    const range = { storage: definition.storage, prefix: "" };
    for (const revision of registry.store.list(range).revisions) {
      collector.inspect(definition, revision);
    }
  }
  return registry.store.listen((change) => {
    setImmediate(() => collector.react(change));
  });
}

interface Dependent {
  readonly definition: ResourceDefinition;
  readonly key: string;
}

class Collector {
  readonly #registry: Registry;
  /** By the owner's uid; entries of deleted objects are harmless and are removed with their owner. */
  readonly #dependents = new Map<string, Map<string, Dependent>>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  react({ kind, storage, revision }: StoreChange): void {
    if (kind === "deleted") {
      this.#collectDependents(revision.object.metadata.uid ?? "");
      return;
    }
    const definition = storedKinds().find((candidate) => candidate.storage === storage);
    const current = this.#registry.store.get(storage, revision.key);
    if (definition !== undefined && current !== undefined) this.inspect(definition, current);
  }

  inspect(definition: ResourceDefinition, revision: Revision): void {
    const { metadata } = revision.object;
    for (const { uid } of metadata.ownerReferences ?? []) {
      const dependents = this.#dependents.get(uid) ?? new Map<string, Dependent>();
      const { key } = revision;
      dependents.set(`${definition.storage} ${key}`, { definition, key });
      this.#dependents.set(uid, dependents);
    }
    if (metadata.deletionTimestamp !== undefined) {
      releaseFinalizers(this.#registry, definition, revision);
    } else if (isOrphan(this.#registry, revision.object)) {
      remove(this.#registry, definition, revision.object);
    }
  }

  #collectDependents(ownerUid: string): void {
    const dependents = this.#dependents.get(ownerUid);
    this.#dependents.delete(ownerUid);
    for (const { definition, key } of dependents?.values() ?? []) {
      const found = this.#registry.store.get(definition.storage, key);
      if (found !== undefined && isOrphan(this.#registry, found.object)) {
        remove(this.#registry, definition, found.object);
      }
    }
  }
}

function isOrphan(registry: Registry, object: ApiObject): boolean {
  const owners = object.metadata.ownerReferences ?? [];
  return owners.length > 0 && owners.every((owner) => isGone(registry, owner, object));
}

/** An owner of a kind that is not stored here is assumed to exist. */
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

function storedKinds(): readonly ResourceDefinition[] {
  return CATALOGUE.filter(({ view }) => view === undefined);
}
