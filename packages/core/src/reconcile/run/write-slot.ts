import { Slots } from "../../cloud/calls/slots.ts";
import type { Change, Plan } from "../../model/plan.ts";
import type { Clock } from "../../model/time.ts";

/** The write slots of one kind of run. */
export interface WriteSlotPool {
  readonly slots: Slots;
  /** How many milliseconds an ended run may delay its records while others wait for a slot. */
  readonly holdBackMs: number;
}

/**
 * How many slots bulk runs get for each one that the flag allows. With only two, adding a node to 200 load balancers took half as
 * long again as the cloud needed. A cloud that cannot take so many at once refuses some, and the budget adapts.
 */
const BULK_SLOTS = 8;
/** Longer than a burst of a few hundred small writes takes. */
const BULK_HOLD_BACK_MS = 500;

/** How many runs of one controller may write at the same time, by kind. */
export class WriteSlotPools {
  readonly #single: WriteSlotPool;
  readonly #bulk: WriteSlotPool;

  /**
   * `concurrency` is upstream's flag. Bulk runs have eight times as many slots of their own: each is one small write, as many wait
   * as there are load balancers, and the flag is meant for Services being worked on (spec/30 §8). With `isStrict` they have no
   * slots of their own, for a cloud that takes at most `concurrency` writes of any kind.
   */
  constructor(concurrency: number, isStrict = false) {
    this.#single = { slots: new Slots(concurrency), holdBackMs: 0 };
    const bulk = { slots: new Slots(BULK_SLOTS * concurrency), holdBackMs: BULK_HOLD_BACK_MS };
    this.#bulk = isStrict ? this.#single : bulk;
  }

  /** Returns the pool from which a run with this plan takes its slot. */
  of<Typed extends Change>(
    { isInBulk }: { isInBulk?(plan: Plan<Typed>): boolean },
    plan: Plan<Typed>,
  ): WriteSlotPool {
    return isInBulk?.(plan) === true ? this.#bulk : this.#single;
  }
}

/** The write slot of one run, which has none until it takes one. */
export class WriteSlot {
  readonly #clock: Clock;
  #taken: WriteSlotPool | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isAmong(slots: WriteSlotPool): boolean {
    return this.#taken === slots;
  }

  /** Exchanges the current slot for one of this pool. Resolves with the milliseconds that took; rejects with the signal's reason. */
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
   * When many runs want to write, answers come in bursts. The writes that wait for a slot are sent before ended runs are
   * recorded, so that the cloud is not idle meanwhile.
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

  /** Between two plans of a bulk run: lets the first writes of all other runs go out before it observes again. */
  async letBurstGoOut(): Promise<void> {
    if (this.#taken !== undefined && this.#taken.holdBackMs > 0) await this.letOthersWrite();
  }

  #nextTick(): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(0, resolve);
    });
  }
}
