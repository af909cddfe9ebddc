import type { KubeObject } from "../client.ts";

export type InformerEvent<T> =
  | {
      readonly kind: "added";
      readonly object: T /** From the first list. */;
      readonly initial: boolean;
    }
  | { readonly kind: "updated"; readonly object: T; readonly old: T }
  /** `final` is false if the deletion was only inferred from a list: `object` is then the last known state. */
  | { readonly kind: "deleted"; readonly object: T; readonly final: boolean };

/** The cached view of one resource. Keys are `name` or `namespace/name`. */
export interface Informer<T extends KubeObject> {
  get(key: string): T | undefined;
  list(): readonly T[];
  /** Returns the objects under one value of an index that was declared at construction. */
  byIndex(index: string, value: string): readonly T[];
  /** Calls back for every event from now on, once the cache shows it; returns a function that unsubscribes. */
  subscribe(handler: (event: InformerEvent<T>) => void): () => void;
  /** Resolves when the first list is in the cache. */
  readonly synced: Promise<void>;
  readonly hasSynced: boolean;
  /**
   * Returns the milliseconds since the API server last sent anything on this watch (an event, a bookmark or a
   * list).
   */
  silentMs(): number;
}
