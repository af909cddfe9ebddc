import type { Clock } from "./clock.ts";

/** Of each pause, so that replicas do not start theirs at the same moment. */
const JITTER = 0.2;

export interface RestartPaceOptions {
  readonly clock: Clock;
  random(): number;
  /** The first pause, milliseconds; each further one is twice as long. */
  readonly firstMs: number;
  readonly longestMs: number;
}

/** How long to wait before the next start: twice as long each time, and from the beginning again after one that lasted. */
export class RestartPace {
  readonly #options: RestartPaceOptions;
  #failures = 0;
  #upSince: number | undefined;

  constructor(options: RestartPaceOptions) {
    this.#options = options;
  }

  /** It answers. */
  up(): void {
    this.#upSince ??= this.#options.clock.monotonic();
  }

  /** Milliseconds to wait now that it has ended. */
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
