import type { Clock } from "../model/time.ts";
import type { Slots } from "../provider/slots.ts";

/** One run's place among those that write; it has none until it takes one. */
export class WritingPlace {
  readonly #places: Slots;
  readonly #clock: Clock;
  #isTaken: boolean = false;

  constructor(places: Slots, clock: Clock) {
    this.#places = places;
    this.#clock = clock;
  }

  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Resolves when it has one, with the milliseconds that took; rejects with the signal's reason. */
  async take(signal: AbortSignal): Promise<number> {
    const since = this.#clock.monotonic();
    await this.#places.take(signal);
    this.#isTaken = true;
    return this.#clock.monotonic() - since;
  }

  leave(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    this.#places.free();
  }

  /**
   * Where many want to write, answers come in bursts: what waits for a place is sent before what has ended is written down, so
   * that the cloud is not idle meanwhile.
   */
  async letOthersWrite(): Promise<void> {
    if (!this.#isTaken || !this.#places.isAwaited) return;
    this.leave();
    await new Promise<void>((resolve) => {
      this.#clock.after(0, resolve);
    });
  }
}
