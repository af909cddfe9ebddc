import type { Clock } from "../../model/time.ts";
import { sleep } from "../sleep.ts";

export interface WakeUp {
  /** Waits this long, until woken, or until the signal aborts. */
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
  /** Ends the current wait, if any. */
  wake(): void;
}

export function createWakeUp(clock: Clock): WakeUp {
  let running: AbortController | undefined;
  return {
    wait: async (delayMs, signal) => {
      const controller = new AbortController();
      running = controller;
      const stop = () => controller.abort();
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      await sleep(clock, delayMs, controller.signal);
      signal.removeEventListener("abort", stop);
      running = undefined;
    },
    wake: () => running?.abort(),
  };
}
