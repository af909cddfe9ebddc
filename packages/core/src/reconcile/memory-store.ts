import type { ObjectRef } from "../model/object-ref.ts";
import type { Reported } from "./outcome-events.ts";
import type { Projection } from "./reconciler.ts";
import type { FailedWrite } from "./run/failed-write.ts";
import type { Judgement } from "./run/judgement.ts";
import type { Shown } from "./run/shown.ts";

/** What a loop keeps of one key between its runs. */
export interface Remembered<Memory> {
  readonly uid: string | undefined;
  /** The reconciler's own. */
  readonly own: Memory;
  /** What the last run left; undefined before the first one has ended. */
  readonly last: LastRun | undefined;
}

/** The part of a store that whatever feeds the loop's queue may use. */
export interface ReadMemoryStore<Memory> {
  /** What is remembered of the object with this UID; when there is nothing, the memory of an object that no run has seen. */
  of(key: string, uid: string | undefined): Memory;
}

/** What a loop remembers of its objects: for each key, of the object that has it now, until that is gone. */
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
   * The object that a run of the key is about, and what is remembered of it. With its entry in the cache, an object that is gone
   * may have lost its UID; it is still the one that we knew.
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

  /** What is known before a run writes: if the run never ends, the next one begins with it. */
  announced(key: string, announced: Remembered<Memory>): void {
    this.#byKey.set(key, announced);
  }

  /** What a run has left. Of an object that is gone nothing is kept except, while its key may come back, the reconciler's own memory. */
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

/** What the last run left of an object, as far as the engine knows it. */
export interface LastRun extends Judgement {
  /** The write that failed last in this streak of failures. */
  readonly failedWrite: FailedWrite | undefined;
  /** The warning that was reported last, while it lasts. */
  readonly reported: Reported | undefined;
  /** The last projection but for what the cloud said, for runs that could not see. */
  readonly projection: Projection | undefined;
  /** What the pages show of it; shares its parts with the projection, so that it takes no memory of its own. */
  readonly shown: Shown;
}
