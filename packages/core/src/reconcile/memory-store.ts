import type { ObjectRef } from "../model/object-ref.ts";
import type { Reported } from "./outcome-events.ts";
import type { Projection } from "./reconciler.ts";
import type { FailedWrite } from "./run/failed-write.ts";
import type { Judgement } from "./run/judgement.ts";
import type { Shown } from "./run/shown.ts";

/** What a loop remembers of one key between its runs. */
export interface Remembered<Memory> {
  readonly uid: string | undefined;
  /** The reconciler's own memory. */
  readonly own: Memory;
  /** What the last run left; undefined until the first run has ended. */
  readonly last: LastRun | undefined;
}

/** The part of the store for the code that feeds the loop's queue. */
export interface ReadMemoryStore<Memory> {
  /** Returns the memory of the object with this UID, or that of an object without any run yet. */
  of(key: string, uid: string | undefined): Memory;
}

/** What a loop remembers: for each key, the memory of the object that has it now, kept until that object is gone. */
export class MemoryStore<Memory> implements ReadMemoryStore<Memory> {
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
   * Returns the object that a run of the key is about, and its memory. An object that is gone may have lost its UID with its
   * cache entry; it is still the one that we knew.
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

  /** Stores what is known before a run writes: if that run never ends, the next one starts from it. */
  announced(key: string, announced: Remembered<Memory>): void {
    this.#byKey.set(key, announced);
  }

  /**
   * Stores what a run has left. For an object that is gone, only the reconciler's own memory is kept, and only while its key may come
   * back.
   */
  ended(key: string, { uid, own, last }: Remembered<Memory> & { readonly last: LastRun }): void {
    if (last.reason.code === "ObjectGone") {
      this.#byKey.delete(key);
      return;
    }
    const failedWrite = last.failures > 0 ? last.failedWrite : undefined;
    const kept = last.state === "gone" ? undefined : { ...last, failedWrite };
    this.#byKey.set(key, { uid, own, last: kept });
  }
}

/** What the engine knows of an object after its last run. */
export interface LastRun extends Judgement {
  /** The last write to fail in this streak of failures. */
  readonly failedWrite: FailedWrite | undefined;
  /** The warning that was reported last, while it lasts. */
  readonly reported: Reported | undefined;
  /** The last projection without the cloud's answers, for runs that could not observe. */
  readonly projection: Projection | undefined;
  /** What the pages show of it. It shares its parts with the projection and so takes no extra memory. */
  readonly shown: Shown;
}
