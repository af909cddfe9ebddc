import type { Clock } from "@cloudwright/core/model/time";

/** The waits of the writer's loop; `stop` ends every wait, now and later. */
export interface Waiting {
  /** Waits until data was announced since this last returned. */
  forData(): Promise<void>;
  forTime(ms: number): Promise<void>;
  announce(): void;
  stop(): void;
}

export function createWaiting(clock: Clock): Waiting {
  let announced = false;
  let stopped = false;
  let wakeForData: (() => void) | undefined;
  let wakeForStop: (() => void) | undefined;
  return {
    async forData() {
      if (!announced && !stopped) {
        await new Promise<void>((resolve) => {
          wakeForData = resolve;
        });
      }
      announced = false;
    },
    async forTime(ms) {
      if (stopped) return;
      await new Promise<void>((resolve) => {
        const cancel = clock.after(ms, resolve);
        wakeForStop = () => {
          cancel();
          resolve();
        };
      });
    },
    announce() {
      announced = true;
      wakeForData?.();
    },
    stop() {
      stopped = true;
      wakeForData?.();
      wakeForStop?.();
    },
  };
}
