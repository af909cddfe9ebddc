/** Work that runs at most once at a time, shared by all concurrent callers. */
export class SharedWork<T> {
  #running: { readonly result: Promise<T>; readonly signal: AbortSignal } | undefined;

  /**
   * Joins the current run, or starts one; if the caller that started it gives up, another one starts again. Throws the signal's
   * reason when that aborts.
   */
  async join(signal: AbortSignal, begin: () => Promise<T>): Promise<T> {
    for (;;) {
      signal.throwIfAborted();
      const running = this.#running ?? this.#begin(signal, begin);
      try {
        return await untilAborted(running.result, signal);
      } catch (error) {
        if (signal.aborted || !running.signal.aborted) throw error;
      }
    }
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  #begin(signal: AbortSignal, begin: () => Promise<T>) {
    const ended = () => {
      this.#running = undefined;
    };
    const running = { result: begin().finally(ended), signal };
    this.#running = running;
    return running;
  }
}

async function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
