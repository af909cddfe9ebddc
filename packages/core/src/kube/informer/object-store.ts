import type { KubeObject } from "../client.ts";
import type { InformerEvent } from "./informer-port.ts";
import { createObjectIndex, type IndexFunctions } from "./object-index.ts";

/** Objects by key, with indexes. Every change returns the resulting events; objects are shared, never copied. */
export interface ObjectStore<T extends KubeObject> {
  get(key: string): T | undefined;
  list(): readonly T[];
  byIndex(index: string, value: string): readonly T[];
  /** Replaces the content by a complete list; what the list lacks counts as deleted. */
  replace(objects: readonly T[], initial: boolean): readonly InformerEvent<T>[];
  put(object: T): readonly InformerEvent<T>[];
  remove(object: T): readonly InformerEvent<T>[];
}

export function objectKey(object: KubeObject): string {
  const { namespace, name = "" } = object.metadata ?? {};
  return namespace === undefined ? name : `${namespace}/${name}`;
}

export function createObjectStore<T extends KubeObject>(
  functions: IndexFunctions<T>,
): ObjectStore<T> {
  const objects = new Map<string, T>();
  const index = createObjectIndex(functions);
  let snapshot: readonly T[] | undefined;

  function set(key: string, object: T): void {
    const old = objects.get(key);
    snapshot = undefined;
    if (old !== undefined) index.remove(key, old);
    objects.set(key, object);
    index.add(key, object);
  }

  function drop(key: string, old: T): void {
    snapshot = undefined;
    index.remove(key, old);
    objects.delete(key);
  }

  function put(object: T, initial: boolean): readonly InformerEvent<T>[] {
    const key = objectKey(object);
    const old = objects.get(key);
    if (old !== undefined && isSameRevision(old, object)) return [];
    set(key, object);
    const added = { kind: "added", object, initial } as const;
    if (old === undefined) return [added];
    if (old.metadata?.uid === object.metadata?.uid) return [{ kind: "updated", object, old }];
    // Another object has the same name: the deletion of the old one was missed.
    return [{ kind: "deleted", object: old, final: false }, added];
  }

  function dropAbsent(present: ReadonlySet<string>): InformerEvent<T>[] {
    const events: InformerEvent<T>[] = [];
    for (const [key, old] of objects) {
      if (present.has(key)) continue;
      drop(key, old);
      events.push({ kind: "deleted", object: old, final: false });
    }
    return events;
  }

  return {
    get: (key) => objects.get(key),
    list: () => {
      snapshot ??= [...objects.values()];
      return snapshot;
    },
    byIndex: (name, value) =>
      index.keys(name, value).flatMap((key) => {
        const object = objects.get(key);
        return object === undefined ? [] : [object];
      }),
    replace: (listed, initial) => {
      const deleted = dropAbsent(new Set(listed.map(objectKey)));
      return [...deleted, ...listed.flatMap((object) => put(object, initial))];
    },
    put: (object) => put(object, false),
    remove: (object) => {
      const key = objectKey(object);
      const old = objects.get(key);
      if (old === undefined) return [];
      drop(key, old);
      return [{ kind: "deleted", object, final: true }];
    },
  };
}

function isSameRevision(one: KubeObject, other: KubeObject): boolean {
  const version = one.metadata?.resourceVersion;
  return (
    version !== undefined &&
    version === other.metadata?.resourceVersion &&
    one.metadata?.uid === other.metadata?.uid
  );
}
