import type { Clock } from "./clock.ts";

/** The fraction of each pause that is random, so that replicas do not restart theirs at the same moment. */
const JITTER = 0.2;

export interface RestartPaceOptions {
  readonly clock: Clock;
  random(): number;
  /** The first pause in milliseconds; each further one is twice as long. */
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Returns the pause before the next start: twice as long each time, and reset after a start that lasted. */
export class RestartPace {
  readonly #options: RestartPaceOptions;
  #failures = 0;
  #upSince: number | undefined;

  constructor(options: RestartPaceOptions) {
    this.#options = options;
  }

  /** Records that it responds. */
  up(): void {
    this.#upSince ??= this.#options.clock.monotonic();
  }

  /** Returns how long to wait, in milliseconds, now that it has ended. */
  ended(): number {
    const { clock, random, firstMs, longestMs } = this.#options;
    const upMs = this.#upSince === undefined ? 0 : clock.monotonic() - this.#upSince;
    this.#upSince = undefined;
    if (upMs >= longestMs) this.#failures = 0;
    const plain = Math.min(firstMs * 2 ** Math.min(this.#failures, 30), longestMs);
    this.#failures += 1;
    return Math.round(plain * (1 - JITTER * random()));
  }
}
