import type { Clock, Random } from "../model/time.ts";
import type { KubeObject, Resource } from "./client.ts";
import type { Informer } from "./informer-port.ts";
import type { KubeConnection } from "./kube-client.ts";

export interface InformerOptions<T extends KubeObject> {
  readonly client: Pick<KubeConnection, "list" | "watch">;
  readonly resource: Resource;
  readonly namespace?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Named functions that give the values under which an object is found by `byIndex`. */
  readonly indexes?: Readonly<Record<string, (object: T) => readonly string[]>>;
  /** Drops on arrival what nobody reads; managed fields always go. */
  readonly strip?: (object: T) => T;
  readonly clock: Clock;
  readonly random: Random;
  /** Ends the informer. */
  readonly signal: AbortSignal;
  /** Told of each failed list or watch; the informer goes on by itself. */
  readonly onError?: (error: unknown) => void;
  /** Silence after which a watch counts as dead. */
  readonly silenceLimitMs?: number;
}

export declare function startInformer<T extends KubeObject>(
  options: InformerOptions<T>,
): Informer<T>;
