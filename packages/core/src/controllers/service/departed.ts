import type { BalancerOwner, LoadBalancerStatus } from "@cloudwright/provider-api";
import type { ObjectRef } from "../../model/object-ref.ts";

/** A Service that went without our finalizer: its load balancer may still be there (spec/30 SW-4). */
export interface Departed {
  readonly owner: BalancerOwner;
  readonly object: ObjectRef;
  /** Where it said that it is reached. */
  readonly published: LoadBalancerStatus;
}

/** The Services that went and may have left something in the cloud, by their key; what feeds the queue owns them. */
export class DepartedServices {
  readonly #byKey = new Map<string, readonly Departed[]>();

  of(key: string): readonly Departed[] {
    return this.#byKey.get(key) ?? NONE;
  }

  /** The keys under which something may be left. */
  get keys(): readonly string[] {
    return [...this.#byKey.keys()];
  }

  has(uid: string): boolean {
    return [...this.#byKey.values()].flat().some(({ owner }) => owner.objectUid === uid);
  }

  add(key: string, departed: Departed): void {
    this.#byKey.set(key, [...this.#others(key, [departed.owner.objectUid]), departed]);
  }

  /** Nothing of theirs is left. */
  cleared(key: string, uids: readonly string[]): void {
    if (uids.length === 0) return;
    const others = this.#others(key, uids);
    if (others.length === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, others);
  }

  #others(key: string, uids: readonly string[]): readonly Departed[] {
    return this.of(key).filter(({ owner }) => !uids.includes(owner.objectUid));
  }
}

const NONE: readonly Departed[] = [];

/** How many Services are remembered from which our finalizer was taken. */
const RELEASED_KEPT = 10_000;

/**
 * UIDs of the Services from which this process has taken our finalizer, and for which it has written nothing to the cloud since:
 * their end leaves nothing behind. The writes own it.
 */
export class ReleasedServices {
  readonly #uids = new Set<string>();

  add(uid: string): void {
    this.#uids.add(uid);
    const [oldest] = this.#uids;
    if (this.#uids.size > RELEASED_KEPT && oldest !== undefined) this.#uids.delete(oldest);
  }

  delete(uid: string): void {
    this.#uids.delete(uid);
  }

  has(uid: string): boolean {
    return this.#uids.has(uid);
  }
}
