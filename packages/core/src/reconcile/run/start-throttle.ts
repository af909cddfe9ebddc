import type { Clock } from "../../model/time.ts";

/** Few enough to be computed within some milliseconds, many enough for their lookups to share calls. */
const RUNS_PER_TICK = 16;

/**
 * Limits how many runs start in one turn of the event loop. One change of the cluster makes hundreds of keys due at once. If all of
 * them observed and planned before the first request was sent, the cloud would be idle during that time, and this process while it
 * waits afterwards.
 */
export class StartThrottle {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #begun = 0;
  #isNextAwaited: boolean = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when one more run may start, in the order of the calls. */
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
