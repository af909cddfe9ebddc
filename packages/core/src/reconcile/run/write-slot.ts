import { Slots } from "../../cloud/calls/slots.ts";
import type { Change, Plan } from "../../model/plan.ts";
import type { Clock } from "../../model/time.ts";

/** Where runs of one kind wait for their turn to write. */
export interface WriteSlotPool {
  readonly slots: Slots;
  /** How long, in milliseconds, what has ended may wait to be written down while others wait here. */
  readonly holdBackMs: number;
}

/**
 * For each place of the flag so many for runs in bulk. With twice the flag a node's joining 200 load balancers took half as long again as
 * the cloud needed; a cloud that cannot take so many at once says so, and the budget heeds it.
 */
const BULK_SLOTS = 8;
/** Longer than a burst of a few hundred small writes takes. */
const BULK_HOLD_BACK_MS = 500;

/** How many runs of one controller may write at the same time, by kind. */
export class WriteSlotPools {
  readonly #single: WriteSlotPool;
  readonly #bulk: WriteSlotPool;

  /**
   * `concurrency` is upstream's flag. Runs in bulk have eight times as many places of their own: each is one small
   * write, as many wait as there are load balancers, and the flag is for Services that are worked on (spec/30 §8). With `isStrict`
   * they have none of their own, for a cloud that bears no more than `concurrency` writes of whichever kind.
   */
  constructor(concurrency: number, isStrict = false) {
    this.#single = { slots: new Slots(concurrency), holdBackMs: 0 };
    const bulk = { slots: new Slots(BULK_SLOTS * concurrency), holdBackMs: BULK_HOLD_BACK_MS };
    this.#bulk = isStrict ? this.#single : bulk;
  }

  /** Those among which a run with this plan writes. */
  of<Typed extends Change>(
    { isInBulk }: { isInBulk?(plan: Plan<Typed>): boolean },
    plan: Plan<Typed>,
  ): WriteSlotPool {
    return isInBulk?.(plan) === true ? this.#bulk : this.#single;
  }
}

/** One run's place among those that write; it has none until it takes one. */
export class WriteSlot {
  readonly #clock: Clock;
  #taken: WriteSlotPool | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isAmong(slots: WriteSlotPool): boolean {
    return this.#taken === slots;
  }

  /** Resolves when it has one there and none elsewhere, with the milliseconds that took; rejects with the signal's reason. */
  async take(slots: WriteSlotPool, signal: AbortSignal): Promise<number> {
    const since = this.#clock.monotonic();
    this.leave();
    await slots.slots.take(signal);
    this.#taken = slots;
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
    const slots = this.#taken;
    if (slots?.slots.isAwaited !== true) return;
    this.leave();
    const since = this.#clock.monotonic();
    do {
      await this.#nextTick();
    } while (slots.slots.isAwaited && this.#clock.monotonic() - since < slots.holdBackMs);
  }

  /** Between two plans of a run in bulk: the first writes of all others go before its second look. */
  async letBurstGoOut(): Promise<void> {
    if (this.#taken !== undefined && this.#taken.holdBackMs > 0) await this.letOthersWrite();
  }

  #nextTick(): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(0, resolve);
    });
  }
}
