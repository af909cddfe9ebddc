import type { Clock, Random } from "../model/time.ts";
import { isKubeError } from "./errors.ts";
import { sleep } from "./sleep.ts";

/** A queue that never makes anybody wait: the oldest is dropped when it is full. */
export interface EventDelivery<Item> {
  /** Queues an item; one that is queued already, or just being sent, is sent once more at most. */
  enqueue(item: Item): void;
  /** Sends what is queued, with short pauses between tries; answers how many are left at the deadline. */
  flush(deadlineMs: number): Promise<number>;
  readonly dropped: number;
}

export interface EventDeliveryOptions<Item> {
  readonly send: (item: Item) => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
  readonly onDrop: (count: number) => void;
}

const CAPACITY = 10_000;
const CONCURRENCY = 8;
/** spec/00 §17: 12 attempts, 10 s apart, the first pause random. */
const ATTEMPTS = 12;
const PAUSE_MS = 10_000;
const FLUSH_PAUSE_MS = 250;

export function createEventDelivery<Item>(
  options: EventDeliveryOptions<Item>,
): EventDelivery<Item> {
  const waiting = new Set<Item>();
  /** What is being sent, and whether it changed meanwhile. */
  const sending = new Map<Item, boolean>();
  const pauses = createPauses(options);
  const whenIdle = new Set<() => void>();
  let dropped = 0;

  function drop(): void {
    dropped += 1;
    options.onDrop(1);
  }

  function pump(): void {
    for (const item of waiting) {
      if (sending.size >= CONCURRENCY) return;
      waiting.delete(item);
      void deliver(item).then(() => finish(item));
    }
    if (sending.size > 0) return;
    for (const settle of whenIdle) settle();
    whenIdle.clear();
  }

  function finish(item: Item): void {
    const changed = sending.get(item) === true;
    sending.delete(item);
    if (changed) waiting.add(item);
    pump();
  }

  async function deliver(item: Item): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      sending.set(item, false);
      try {
        return await options.send(item);
      } catch (error) {
        if (attempt >= ATTEMPTS || !isWorthAnotherTry(error)) {
          options.onError(error);
          return drop();
        }
      }
      await pauses.after(attempt);
    }
  }

  async function idle(): Promise<void> {
    if (sending.size === 0 && waiting.size === 0) return;
    await new Promise<void>((resolve) => {
      whenIdle.add(resolve);
    });
  }

  return {
    enqueue: (item) => {
      if (sending.has(item)) {
        sending.set(item, true);
        return;
      }
      waiting.add(item);
      if (waiting.size > CAPACITY && dropOldest(waiting)) drop();
      pump();
    },
    flush: async (deadlineMs) => {
      const settled = new AbortController();
      const endFlush = pauses.startFlush();
      await Promise.race([
        idle().then(() => settled.abort()),
        sleep(options.clock, deadlineMs, settled.signal),
      ]);
      endFlush();
      return waiting.size + sending.size;
    },
    get dropped() {
      return dropped;
    },
  };
}

interface Pauses {
  after(attempt: number): Promise<void>;
  /** From now on pauses are short, those that run end; the answer makes them long again. */
  startFlush(): () => void;
}

function createPauses({ clock, random }: { clock: Clock; random: Random }): Pauses {
  let wakeUp = new AbortController();
  let flushes = 0;
  return {
    after: (attempt) => {
      if (flushes > 0) return sleep(clock, FLUSH_PAUSE_MS);
      return sleep(clock, attempt === 1 ? PAUSE_MS * random() : PAUSE_MS, wakeUp.signal);
    },
    startFlush: () => {
      flushes += 1;
      wakeUp.abort();
      wakeUp = new AbortController();
      return () => {
        flushes -= 1;
      };
    },
  };
}

function dropOldest<Item>(items: Set<Item>): boolean {
  for (const oldest of items) return items.delete(oldest);
  return false;
}

/** As client-go: what the API server refused is not sent again, what it could not answer is. */
function isWorthAnotherTry(error: unknown): boolean {
  return isKubeError(error) && (error.code === "Unavailable" || error.code === "Throttled");
}
