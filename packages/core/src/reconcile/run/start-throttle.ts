import type { Clock } from "../../model/time.ts";

/** Few enough to be computed within some milliseconds, many enough for their lookups to share calls. */
const RUNS_PER_TICK = 16;

/**
 * How many runs begin in one turn of the event loop. A change of the cluster makes hundreds of keys due at once; were all of them to
 * observe and plan before the first request leaves, the cloud would be idle meanwhile, and then this process while it waits.
 */
export class StartThrottle {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #begun = 0;
  #isNextAwaited: boolean = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when one more run may begin, in order of asking. */
  next(): Promise<void> {
    this.#awaitNext();
    if (this.#begun >= RUNS_PER_TICK) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#begun += 1;
    return Promise.resolve();
  }

  #awaitNext(): void {
    if (this.#isNextAwaited) return;
    this.#isNextAwaited = true;
    this.#clock.after(0, () => this.#begin());
  }

  #begin(): void {
    this.#isNextAwaited = false;
    const due = this.#waiting.splice(0, RUNS_PER_TICK);
    this.#begun = due.length;
    if (due.length > 0) this.#awaitNext();
    for (const resolve of due) resolve();
  }
}
