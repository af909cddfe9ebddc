import { keyOf, type Registry } from "../registry/context.ts";
import { createObject } from "../registry/create.ts";
import { deleteObject } from "../registry/delete.ts";
import { CATALOGUE } from "../resources/catalogue.ts";
import type { ResourceDefinition } from "../resources/definition.ts";
import { namespaces } from "../resources/namespace.ts";
import { serviceAccounts } from "../resources/service-account.ts";
import type { StoreChange } from "../state/revision.ts";

const FIRST_NAMESPACES = ["default", "kube-node-lease", "kube-public", "kube-system"];
const DEFAULT_ACCOUNT = "default";

/**
 * Imitates kube-apiserver and kube-controller-manager for namespaces: the initial four exist, each namespace has its default service
 * account, and a deleted one is emptied and then removed. Returns a function that stops it.
 */
export function keepNamespaces(registry: Registry): () => void {
  for (const name of FIRST_NAMESPACES) {
    if (registry.store.get(namespaces.storage, name) === undefined) {
      const object = { metadata: { name } };
      createObject(registry, { definition: namespaces }, { object, dryRun: false });
    }
  }
  for (const { object } of registry.store.list({ storage: namespaces.storage, prefix: "" })
    .revisions) {
    tend(registry, object.metadata.name ?? "");
  }
  return registry.store.listen((change) => {
    const name = affectedNamespace(change);
    // In a later turn, when the write that triggered this is complete for everybody.
    if (name !== undefined) setImmediate(() => tend(registry, name));
  });
}

function affectedNamespace({ storage, kind, revision }: StoreChange): string | undefined {
  const { metadata } = revision.object;
  if (storage === namespaces.storage) return kind === "deleted" ? undefined : metadata.name;
  return kind === "deleted" ? metadata.namespace : undefined;
}

function tend(registry: Registry, name: string): void {
  const home = registry.store.get(namespaces.storage, name);
  if (home === undefined) return;
  if (home.object.metadata.deletionTimestamp === undefined) giveDefaultAccount(registry, name);
  else empty(registry, name);
}

function giveDefaultAccount(registry: Registry, namespace: string): void {
  const key = keyOf(namespace, DEFAULT_ACCOUNT);
  if (registry.store.get(serviceAccounts.storage, key) !== undefined) return;
  const object = { metadata: { name: DEFAULT_ACCOUNT, namespace } };
  createObject(registry, { definition: serviceAccounts, namespace }, { object, dryRun: false });
}

/** Deletes what is left, and then the namespace itself. Objects with finalizers keep it waiting. */
function empty(registry: Registry, namespace: string): void {
  const remaining = storedKinds().filter((definition) => !clear(registry, definition, namespace));
  const home = registry.store.get(namespaces.storage, namespace);
  const isHeld = (home?.object.metadata.finalizers ?? []).length > 0;
  if (remaining.length === 0 && !isHeld) registry.store.remove(namespaces.storage, namespace);
}

/** Returns whether nothing of the kind is left. */
function clear(registry: Registry, definition: ResourceDefinition, namespace: string): boolean {
  const range = { storage: definition.storage, prefix: `${namespace}/` };
  const kept = registry.store.list(range).revisions.filter(({ object }) => {
    const { name = "", deletionTimestamp } = object.metadata;
    if (deletionTimestamp !== undefined) return true;
    return !deleteObject(registry, { definition, namespace, name }, {}).isGone;
  });
  return kept.length === 0;
}

function storedKinds(): readonly ResourceDefinition[] {
  return CATALOGUE.filter(({ namespaced, view }) => namespaced && view === undefined);
}
