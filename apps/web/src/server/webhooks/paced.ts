/** Work that is repeated on demand: never concurrently, and no more often than its pace. */
export interface Paced {
  /** Requests another run. */
  poke(): void;
  /** Starts nothing until the next poke. */
  rest(): void;
}

export interface PacedOptions {
  /** Returns when it must run again by itself, in milliseconds since the epoch. */
  readonly work: () => Promise<number | undefined>;
  readonly paceMs: number;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** How long after an error it runs again. */
const AGAIN_MS = 5_000;
const LONGEST_MS = 3_600_000;

export function paced({ work, paceMs, now, onError }: PacedOptions): Paced {
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let isRunning = false;
  let endedAt = Number.NEGATIVE_INFINITY;

  const schedule = (at: number) => {
    dueAt = Math.min(dueAt, Math.max(at, endedAt + paceMs));
    if (isRunning || dueAt === Number.POSITIVE_INFINITY) return;
    clearTimeout(timer);
    timer = setTimeout(run, Math.min(LONGEST_MS, Math.max(0, dueAt - now())));
    timer.unref();
  };
  const run = () => {
    // The time was further away than a timer can reach.
    if (now() < dueAt) return schedule(dueAt);
    dueAt = Number.POSITIVE_INFINITY;
    isRunning = true;
    void work().then(end, (error: unknown) => {
      onError(error);
      end(now() + AGAIN_MS);
    });
  };
  const end = (next: number | undefined) => {
    isRunning = false;
    endedAt = now();
    dueAt = Math.max(dueAt, endedAt + paceMs);
    schedule(next ?? Number.POSITIVE_INFINITY);
  };
  return {
    poke: () => schedule(now()),
    rest: () => {
      clearTimeout(timer);
      dueAt = Number.POSITIVE_INFINITY;
    },
  };
}
