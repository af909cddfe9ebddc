/** A fixed number of slots; callers that find none wait in order of arrival. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(places: number) {
    this.#free = places;
  }

  /** Resolves when a slot is taken; rejects with the signal's reason when that aborts first. */
  take(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(enter);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.add(enter);
    });
  }

  get isAwaited(): boolean {
    return this.#waiting.size > 0;
  }

  free(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
