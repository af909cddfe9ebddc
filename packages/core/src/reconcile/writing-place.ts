import type { Change, Plan } from "../model/plan.ts";
import type { Clock } from "../model/time.ts";
import { Slots } from "../provider/slots.ts";
import type { Reconciler } from "./reconciler.ts";

/** How many runs of one controller may write at the same time, by kind. */
export class WritingPlaces {
  readonly #single: Slots;
  readonly #bulk: Slots;

  /**
   * `concurrency` is upstream's flag. Runs in bulk have twice as many places of their own: upstream's sync of nodes has as
   * many workers as its sync of Services, and both may be at work for the same flag (spec/30 §8).
   */
  constructor(concurrency: number) {
    this.#single = new Slots(concurrency);
    this.#bulk = new Slots(2 * concurrency);
  }

  /** Those among which a run with this plan writes. */
  of<Typed extends Change>(
    reconciler: Pick<Reconciler<never, Typed>, "isInBulk">,
    plan: Plan<Typed>,
  ): Slots {
    return reconciler.isInBulk?.(plan) === true ? this.#bulk : this.#single;
  }
}

/** One run's place among those that write; it has none until it takes one. */
export class WritingPlace {
  readonly #clock: Clock;
  #taken: Slots | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isAmong(places: Slots): boolean {
    return this.#taken === places;
  }

  /** Resolves when it has one there and none elsewhere, with the milliseconds that took; rejects with the signal's reason. */
  async take(places: Slots, signal: AbortSignal): Promise<number> {
    const since = this.#clock.monotonic();
    this.leave();
    await places.take(signal);
    this.#taken = places;
    return this.#clock.monotonic() - since;
  }

  leave(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    taken?.free();
  }

  /**
   * Where many want to write, answers come in bursts: what waits for a place is sent before what has ended is written down, so
   * that the cloud is not idle meanwhile.
   */
  async letOthersWrite(): Promise<void> {
    if (this.#taken?.isAwaited !== true) return;
    this.leave();
    await new Promise<void>((resolve) => {
      this.#clock.after(0, resolve);
    });
  }
}
