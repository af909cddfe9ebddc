import { Slots } from "../../cloud/calls/slots.ts";
import type { Change, Plan } from "../../model/plan.ts";
import type { Clock } from "../../model/time.ts";

/** Where runs of one kind wait for their turn to write. */
export interface Places {
  readonly slots: Slots;
  /** How long, in milliseconds, what has ended may wait to be written down while others wait here. */
  readonly holdBackMs: number;
}

/**
 * For each place of the flag so many for runs in bulk. With twice the flag a node's joining 200 balancers took half as long again as
 * the cloud needed; a cloud that cannot take so many at once says so, and the budget heeds it.
 */
const BULK_PLACES = 8;
/** Longer than a burst of a few hundred small writes takes. */
const BULK_HOLD_BACK_MS = 500;

/** How many runs of one controller may write at the same time, by kind. */
export class WritingPlaces {
  readonly #single: Places;
  readonly #bulk: Places;

  /**
   * `concurrency` is upstream's flag. Runs in bulk have eight times as many places of their own: each is one small
   * write, as many wait as there are balancers, and the flag is for Services that are worked on (spec/30 §8).
   */
  constructor(concurrency: number) {
    this.#single = { slots: new Slots(concurrency), holdBackMs: 0 };
    this.#bulk = { slots: new Slots(BULK_PLACES * concurrency), holdBackMs: BULK_HOLD_BACK_MS };
  }

  /** Those among which a run with this plan writes. */
  of<Typed extends Change>(
    { isInBulk }: { isInBulk?(plan: Plan<Typed>): boolean },
    plan: Plan<Typed>,
  ): Places {
    return isInBulk?.(plan) === true ? this.#bulk : this.#single;
  }
}

/** One run's place among those that write; it has none until it takes one. */
export class WritingPlace {
  readonly #clock: Clock;
  #taken: Places | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isAmong(places: Places): boolean {
    return this.#taken === places;
  }

  /** Resolves when it has one there and none elsewhere, with the milliseconds that took; rejects with the signal's reason. */
  async take(places: Places, signal: AbortSignal): Promise<number> {
    const since = this.#clock.monotonic();
    this.leave();
    await places.slots.take(signal);
    this.#taken = places;
    return this.#clock.monotonic() - since;
  }

  leave(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    taken?.slots.free();
  }

  /**
   * Where many want to write, answers come in bursts: what waits for a place is sent before what has ended is written down, so
   * that the cloud is not idle meanwhile.
   */
  async letOthersWrite(): Promise<void> {
    const places = this.#taken;
    if (places?.slots.isAwaited !== true) return;
    this.leave();
    const since = this.#clock.monotonic();
    do {
      await this.#nextTurn();
    } while (places.slots.isAwaited && this.#clock.monotonic() - since < places.holdBackMs);
  }

  /** Between two plans of a run in bulk: the first writes of all others go before its second look. */
  async letBurstGoOut(): Promise<void> {
    if (this.#taken !== undefined && this.#taken.holdBackMs > 0) await this.letOthersWrite();
  }

  #nextTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(0, resolve);
    });
  }
}
