import type { Clock } from "../../model/time.ts";

const SLOT_MS = 250;
const SLOTS = 241;

/** Counts events of the last minute in slots of a quarter of a second: memory does not grow with their number. */
export class RecentCount {
  readonly #clock: Clock;
  readonly #counts = new Array<number>(SLOTS).fill(0);
  readonly #slots = new Array<number>(SLOTS).fill(-1);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(): void {
    const slot = this.#currentSlot();
    const place = slot % SLOTS;
    const same = this.#slots[place] === slot;
    this.#counts[place] = same ? (this.#counts[place] ?? 0) + 1 : 1;
    this.#slots[place] = slot;
  }

  /** Returns how many occurred within this many milliseconds, at most a minute, to the quarter of a second. */
  within(windowMs: number): number {
    const newest = this.#currentSlot();
    const oldest = newest - Math.round(windowMs / SLOT_MS);
    let sum = 0;
    for (const [place, slot] of this.#slots.entries()) {
      if (slot > oldest && slot <= newest) sum += this.#counts[place] ?? 0;
    }
    return sum;
  }

  #currentSlot(): number {
    return Math.floor(this.#clock.monotonic() / SLOT_MS);
  }
}
