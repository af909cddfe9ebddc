import type { ObjectRef } from "../model/object-ref.ts";
import type { KeyMemory } from "./run/key-memory.ts";

/** What a loop keeps of one key between its runs. */
export interface Remembered<Memory> {
  readonly uid: string | undefined;
  /** The reconciler's own. */
  readonly own: Memory;
  /** What the last run left; undefined before the first one has ended. */
  readonly last: KeyMemory | undefined;
}

/** What feeds a loop's queue may know of its objects. */
export interface ReadMemories<Memory> {
  /** What is remembered of the object with this UID; as of one that no run has seen, when there is nothing. */
  of(key: string, uid: string | undefined): Memory;
}

/** What a loop remembers of its objects: of each key the object that has it now, until that is gone. */
export class Memories<Memory> implements ReadMemories<Memory> {
  readonly #byKey = new Map<string, Remembered<Memory>>();
  readonly #none: Memory;

  constructor(none: Memory) {
    this.#none = none;
  }

  of(key: string, uid: string | undefined): Memory {
    const known = this.#byKey.get(key);
    return known !== undefined && known.uid === uid ? known.own : this.#none;
  }

  /**
   * Who a run is about that begins with the key, and what is remembered of it. An object that is gone may have lost its UID with
   * the cache's entry; it is still the one that we knew.
   */
  recall(
    key: string,
    named: ObjectRef,
  ): { readonly object: ObjectRef } & Pick<Remembered<Memory>, "own" | "last"> {
    const known = this.#byKey.get(key);
    if (known === undefined) return { object: named, own: this.#none, last: undefined };
    const uid = named.uid ?? known.uid;
    const object = uid === undefined ? named : { ...named, uid };
    const { own, last } = known.uid === uid ? known : { own: this.#none, last: undefined };
    return { object, own, last };
  }

  get(key: string): Remembered<Memory> | undefined {
    return this.#byKey.get(key);
  }

  set(key: string, remembered: Remembered<Memory>): void {
    this.#byKey.set(key, remembered);
  }

  drop(key: string): void {
    this.#byKey.delete(key);
  }
}
