import type { Clock, Random } from "../../model/time.ts";
import { isKubeError } from "../errors.ts";
import { sleep } from "../sleep.ts";
import { createEventBacklog, type EventBacklog } from "./event-backlog.ts";

/** A queue that never makes a caller wait: when it is full, the oldest item is dropped. */
export interface EventDelivery<Item> {
  /** Queues an item; one that is already queued or being sent is sent at most once more. */
  enqueue(item: Item): void;
  /**
   * Sends what is queued, many at a time and with short pauses between attempts, until the deadline, or until none got through
   * for two seconds; returns what is left.
   */
  flush(deadlineMs: number): Promise<readonly Item[]>;
  readonly dropped: number;
}

export interface EventDeliveryOptions<Item> {
  readonly send: (item: Item) => Promise<void>;
  /** Whether an item is sent at once even while there is more important work; by default all are. */
  readonly isUrgent?: (item: Item) => boolean;
  /** Whether there is more important work: then items that are not urgent are sent one at a time, with pauses. */
  readonly isBusy?: () => boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
  readonly onDrop: (count: number) => void;
}

const CAPACITY = 10_000;
const CONCURRENCY = 8;
/** Nothing else waits for the API server during a flush. */
const FLUSH_CONCURRENCY = 32;
/** The pause between such items while there is more important work, unless half the queue is full. */
const LEISURE_MS = 250;
const MOST_AT_LEISURE = CAPACITY / 2;
/** spec/00 §17: 12 attempts, 10 s apart, with a random first pause. */
const ATTEMPTS = 12;
const PAUSE_MS = 10_000;
const FLUSH_PAUSE_MS = 250;
const FLUSH_PATIENCE_MS = 2_000;

export function createEventDelivery<Item>(
  options: EventDeliveryOptions<Item>,
): EventDelivery<Item> {
  return new Delivery(options);
}

class Delivery<Item> implements EventDelivery<Item> {
  dropped = 0;
  readonly #options: EventDeliveryOptions<Item>;
  readonly #backlog: EventBacklog<Item>;
  /** The items being sent, and whether each changed meanwhile. */
  readonly #sending = new Map<Item, boolean>();
  readonly #pauses: Pauses;
  readonly #whenIdle = new Set<() => void>();
  #flushes = 0;
  /** Monotonic time. */
  #lastSentAt = 0;
  /** Whether the pause after the last item that was not urgent still lasts. */
  #pausing: boolean = false;

  constructor(options: EventDeliveryOptions<Item>) {
    this.#options = options;
    this.#backlog = createEventBacklog(CAPACITY, options.isUrgent ?? always);
    this.#pauses = createPauses(options);
  }

  enqueue(item: Item): void {
    if (this.#sending.has(item)) {
      this.#sending.set(item, true);
      return;
    }
    this.#put(item);
    this.#pump();
  }

  async flush(deadlineMs: number): Promise<readonly Item[]> {
    const settled = new AbortController();
    const endFlush = this.#pauses.startFlush();
    this.#flushes += 1;
    this.#pump();
    await Promise.race([
      this.#idle().then(() => settled.abort()),
      this.#untilStalled(deadlineMs, settled.signal),
    ]);
    this.#flushes -= 1;
    endFlush();
    return [...this.#sending.keys(), ...this.#backlog.items()];
  }

  async #untilStalled(deadlineMs: number, settled: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const startedAt = clock.monotonic();
    for (;;) {
      const now = clock.monotonic();
      const stallsAt = Math.max(startedAt, this.#lastSentAt) + FLUSH_PATIENCE_MS;
      const leftMs = Math.min(startedAt + deadlineMs, stallsAt) - now;
      if (leftMs <= 0 || settled.aborted) return;
      await sleep(clock, leftMs, settled);
    }
  }

  get #left(): number {
    return this.#backlog.size + this.#sending.size;
  }

  #pump(): void {
    const mustYield = this.#mustYield();
    const most = this.#flushes > 0 ? FLUSH_CONCURRENCY : CONCURRENCY;
    while (this.#sending.size < most && this.#sendNext(mustYield));
    if (mustYield) this.#sendAtLeisure();
    if (this.#left > 0) return;
    for (const settle of this.#whenIdle) settle();
    this.#whenIdle.clear();
  }

  #sendNext(urgentOnly: boolean): boolean {
    const item = this.#backlog.take(urgentOnly);
    if (item === undefined) return false;
    void this.#deliver(item).then(() => this.#finish(item));
    return true;
  }

  #mustYield(): boolean {
    if (this.#flushes > 0 || this.#backlog.leisurely > MOST_AT_LEISURE) return false;
    return this.#options.isBusy?.() ?? false;
  }

  #sendAtLeisure(): void {
    if (this.#pausing || this.#backlog.size === 0) return;
    this.#pausing = true;
    if (this.#sending.size === 0) this.#sendNext(false);
    this.#options.clock.after(LEISURE_MS, () => {
      this.#pausing = false;
      this.#pump();
    });
  }

  #put(item: Item): void {
    if (!this.#backlog.put(item)) this.#drop();
  }

  #drop(): void {
    this.dropped += 1;
    this.#options.onDrop(1);
  }

  #finish(item: Item): void {
    const changed = this.#sending.get(item) === true;
    this.#sending.delete(item);
    if (changed) this.#put(item);
    this.#pump();
  }

  async #deliver(item: Item): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      this.#sending.set(item, false);
      try {
        await this.#options.send(item);
        this.#lastSentAt = this.#options.clock.monotonic();
        return;
      } catch (error) {
        if (attempt >= ATTEMPTS || !isWorthAnotherTry(error)) {
          this.#options.onError(error);
          return this.#drop();
        }
      }
      await this.#pauses.after(attempt);
    }
  }

  async #idle(): Promise<void> {
    if (this.#left === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenIdle.add(resolve);
    });
  }
}

function always(): boolean {
  return true;
}

interface Pauses {
  after(attempt: number): Promise<void>;
  /** Makes pauses short from now on and ends current ones; returns a function that makes them long again. */
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

/** As in client-go: what the API server refused is not sent again, but what it could not answer is. */
function isWorthAnotherTry(error: unknown): boolean {
  return isKubeError(error) && (error.code === "Unavailable" || error.code === "Throttled");
}
