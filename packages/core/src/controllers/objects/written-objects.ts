import type { KubeObject } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import { uidOf } from "./object-meta.ts";

const GONE_KEPT = 1_000;

/**
 * The newest known view of each object: the informer's, or the response to our own last write while the informer
 * lags behind. Without it a second run would plan from before its own write, and write again.
 */
export interface ObjectView<T extends KubeObject> {
  get(key: string): T | undefined;
  /** Remembers the response to a write. */
  wrote(object: T): void;
  /**
   * Returns which object a key is or was last. It is called at the start of each run and updates what is
   * remembered.
   */
  object(key: string): ObjectRef;
  /** Returns the same without updating anything. */
  refOf(key: string): ObjectRef;
}

export interface ObjectViewOptions<T extends KubeObject> {
  readonly informer: Pick<Informer<T>, "get">;
  keyOf(object: T): string;
  refOf(object: T): ObjectRef;
  /** Returns the reference for a key that was never seen. */
  unknown(key: string): ObjectRef;
  /** Strips a response like the informer does. */
  strip?(object: T): T;
}

export function createObjectView<T extends KubeObject>(
  options: ObjectViewOptions<T>,
): ObjectView<T> {
  const { informer, keyOf, refOf } = options;
  const written = new Map<string, T>();
  const lastKnown = new Map<string, ObjectRef>();

  function get(key: string): T | undefined {
    const cached = informer.get(key);
    const ours = written.get(key);
    return ours !== undefined && isNewer(ours, cached) ? ours : cached;
  }

  function object(key: string): ObjectRef {
    const found = get(key);
    if (found !== written.get(key)) written.delete(key);
    if (found !== undefined) {
      const ref = refOf(found);
      lastKnown.set(key, ref);
      return ref;
    }
    keepFewOfTheGone();
    return lastKnown.get(key) ?? options.unknown(key);
  }

  function keepFewOfTheGone(): void {
    if (lastKnown.size <= GONE_KEPT) return;
    const gone = [...lastKnown.keys()].filter((key) => informer.get(key) === undefined);
    for (const key of gone.slice(0, Math.max(0, gone.length - GONE_KEPT))) lastKnown.delete(key);
  }

  function wrote(object: T): void {
    const key = keyOf(object);
    written.set(key, options.strip === undefined ? object : options.strip(object));
    lastKnown.set(key, refOf(object));
  }

  return {
    get,
    wrote,
    object,
    refOf: (key) => {
      const found = get(key);
      return found === undefined ? (lastKnown.get(key) ?? options.unknown(key)) : refOf(found);
    },
  };
}

/**
 * Reports whether our response is of the same object as the cached one and newer. If the cache has no such object,
 * it has seen the deletion.
 */
export function isNewer(ours: KubeObject, cached: KubeObject | undefined): boolean {
  if (cached === undefined || uidOf(cached) !== uidOf(ours)) return false;
  return versionOf(ours) > versionOf(cached);
}

/**
 * Resource versions are opaque in theory, and growing numbers in every API server that we know; others count as old.
 */
function versionOf(object: KubeObject): number {
  const version = Number(object.metadata?.resourceVersion);
  return Number.isFinite(version) ? version : 0;
}
