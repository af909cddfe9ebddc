import type { Clock } from "../../model/time.ts";

/** How long all balancers take to follow a change of nodes: from its beginning to the last run (spec/30 §8). */
export class NodeSyncs {
  readonly #clock: Clock;
  readonly #observe: (seconds: number) => void;
  readonly #open = new Set<{ readonly startedAt: number; readonly keys: Set<string> }>();

  constructor(clock: Clock, observe: (seconds: number) => void) {
    this.#clock = clock;
    this.#observe = observe;
  }

  begin(keys: readonly string[]): void {
    if (keys.length === 0) return;
    this.#open.add({ startedAt: this.#clock.monotonic(), keys: new Set(keys) });
  }

  /** A run of this key is over, whatever came of it. */
  ended(key: string): void {
    for (const sync of this.#open) {
      sync.keys.delete(key);
      if (sync.keys.size > 0) continue;
      this.#open.delete(sync);
      this.#observe((this.#clock.monotonic() - sync.startedAt) / 1_000);
    }
  }
}
