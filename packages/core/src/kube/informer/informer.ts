import type { Clock, Random } from "../../model/time.ts";
import type { KubeConnection } from "../calls/kube-client.ts";
import type { KubeObject, Resource } from "../client.ts";
import type { Informer, InformerEvent } from "./informer-port.ts";
import type { IndexFunctions } from "./object-index.ts";
import { createObjectStore } from "./object-store.ts";
import { runReflector } from "./reflector.ts";
import { stripManagedFields } from "./strip.ts";

export interface InformerOptions<T extends KubeObject> {
  readonly client: Pick<KubeConnection, "list" | "watch">;
  readonly resource: Resource;
  readonly namespace?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  readonly indexes?: IndexFunctions<T>;
  /** Drops unused fields on arrival; managed fields are always dropped. */
  readonly strip?: (object: T) => T;
  readonly clock: Clock;
  readonly random: Random;
  /** Ends the informer. */
  readonly signal: AbortSignal;
  /** Called for each failed list or watch, and for a subscriber that threw; the informer goes on by itself. */
  readonly onError?: (error: unknown) => void;
  /** After this much silence a watch counts as dead; API servers send a bookmark a minute. */
  readonly silenceLimitMs?: number;
}

export const SILENCE_LIMIT_MS = 90_000;

/**
 * Starts an informer for a resource; the contract is Informer's. It never gives up: after any failure it retries with
 * growing delays. `synced` stays pending if the signal aborts first.
 */
export function startInformer<T extends KubeObject>(options: InformerOptions<T>): Informer<T> {
  const { clock, signal, random } = options;
  const store = createObjectStore<T>(options.indexes ?? {});
  const subscribers = new Set<(event: InformerEvent<T>) => void>();
  const onError = options.onError ?? (() => undefined);
  const sync = createSync();
  let heardAt = clock.monotonic();

  function announce(events: readonly InformerEvent<T>[]): void {
    for (const event of events) {
      for (const subscriber of subscribers) {
        try {
          subscriber(event);
        } catch (error) {
          onError(error);
        }
      }
    }
  }

  void runReflector<T>({
    client: options.client,
    target: targetOf(options),
    query: selectorsOf(options),
    clock,
    random,
    signal,
    silenceLimitMs: options.silenceLimitMs ?? SILENCE_LIMIT_MS,
    transform: transformOf(options),
    sink: {
      onList: (objects) => {
        const events = store.replace(objects, !sync.done);
        sync.finish();
        announce(events);
      },
      onPut: (object) => announce(store.put(object)),
      onDelete: (object) => announce(store.remove(object)),
      onHeard: () => {
        heardAt = clock.monotonic();
      },
      onError,
    },
  });

  return {
    get: store.get,
    list: store.list,
    byIndex: store.byIndex,
    subscribe: (handler) => {
      subscribers.add(handler);
      return () => subscribers.delete(handler);
    },
    synced: sync.promise,
    get hasSynced() {
      return sync.done;
    },
    silentMs: () => clock.monotonic() - heardAt,
  };
}

interface Sync {
  readonly promise: Promise<void>;
  readonly done: boolean;
  finish(): void;
}

function createSync(): Sync {
  let done = false;
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((resolved) => {
    resolve = resolved;
  });
  return {
    promise,
    get done() {
      return done;
    },
    finish: () => {
      done = true;
      resolve();
    },
  };
}

function targetOf<T extends KubeObject>({ resource, namespace }: InformerOptions<T>) {
  return namespace === undefined ? { resource } : { resource, namespace };
}

function selectorsOf<T extends KubeObject>(options: InformerOptions<T>): Record<string, string> {
  const { fieldSelector, labelSelector } = options;
  return {
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
}

function transformOf<T extends KubeObject>({ strip }: InformerOptions<T>): (object: T) => T {
  if (strip === undefined) return stripManagedFields;
  return (object) => strip(stripManagedFields(object));
}
