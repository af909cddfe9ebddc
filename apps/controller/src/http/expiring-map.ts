import type { Clock } from "@cloudwright/core/model/time";

/** Keeps values for a while; at most so many, of which the oldest goes first. */
export class ExpiringMap<Value> {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until <= this.#clock.monotonic()) return undefined;
    return entry.value;
  }

  set(key: string, value: Value, keepMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: this.#clock.monotonic() + keepMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }
}
