import type { Clock, Random } from "../model/time.ts";
import { type Backoff, backoffDelay } from "./backoff.ts";
import { IndexedHeap } from "./indexed-heap.ts";
import type { WorkQueueMetrics } from "./metrics.ts";
import { QUEUE_PRIORITIES, type QueueItem, type QueuePriority, type WorkQueue } from "./port.ts";
import { dueFirst, earlierFirst, isDue, type QueueEntry } from "./queue-entry.ts";

export interface WorkQueueOptions<Why> {
  /** The label of upstream's `workqueue_*` metrics. */
  readonly name: string;
  readonly clock: Clock;
  /** For the backoff's jitter; if absent there is none. */
  readonly random?: Random;
  /** One backoff for all keys, or one for each. */
  readonly backoff: Backoff | ((key: string) => Backoff);
  /** Returns the reason to keep when a key is added twice before it runs. */
  merge(earlier: Why, later: Why): Why;
  readonly metrics?: WorkQueueMetrics;
}

/** A queue that also reports work in progress, for upstream's gauges. */
export interface MeasuredWorkQueue<Why> extends WorkQueue<Why> {
  readonly name: string;
  /** The total milliseconds for which the keys in progress have been worked on. */
  readonly unfinishedMs: number;
  readonly longestRunningMs: number;
  readonly working: number;
}

/**
 * Creates the queue of one control loop. Due keys are handed out by priority, then by how long they have been due;
 * delayed keys wait in a heap behind one timer. Everything is O(log n) except `oldestMs`, `unfinishedMs` and
 * `longestRunningMs`.
 */
export function createWorkQueue<Why>(options: WorkQueueOptions<Why>): MeasuredWorkQueue<Why> {
  return new HeapWorkQueue(options);
}

class HeapWorkQueue<Why> implements MeasuredWorkQueue<Why> {
  readonly name: string;
  readonly #options: WorkQueueOptions<Why>;
  readonly #clock: Clock;
  /** Every waiting key, whether it is due, delayed, or held back because it is being worked on. */
  readonly #entries = new Map<string, QueueEntry<Why>>();
  readonly #due = new IndexedHeap<QueueEntry<Why>>(dueFirst);
  readonly #later = new IndexedHeap<QueueEntry<Why>>(earlierFirst);
  /** The keys being worked on, and since when. */
  readonly #working = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #takers: ((item: QueueItem<Why> | undefined) => void)[] = [];
  readonly #drained: (() => void)[] = [];
  #sequence = 0;
  #shutDown: boolean = false;
  #paused: boolean = false;
  #alarm: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(options: WorkQueueOptions<Why>) {
    this.name = options.name;
    this.#options = options;
    this.#clock = options.clock;
  }

  add(key: string, why: Why, priority: QueuePriority = "change"): void {
    this.#put({ key, why, rank: QUEUE_PRIORITIES.indexOf(priority), dueAt: this.#now() });
  }

  addAfter(key: string, why: Why, delayMs: number): void {
    this.#options.metrics?.retried();
    const dueAt = this.#now() + Math.max(0, delayMs);
    const waiting = this.#entries.get(key);
    if (waiting !== undefined && waiting.dueAt <= dueAt) return;
    this.#put({ key, why, rank: BACKGROUND, dueAt });
  }

  addFailed(key: string, why: Why, minimumMs = 0): number {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const random = this.#options.random ?? noJitter;
    const { backoff } = this.#options;
    const ofKey = typeof backoff === "function" ? backoff(key) : backoff;
    const delayMs = Math.max(minimumMs, backoffDelay(ofKey, failures, random));
    this.addAfter(key, why, delayMs);
    return delayMs;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  take(): Promise<QueueItem<Why> | undefined> {
    const item = this.#next();
    if (item !== undefined || this.#shutDown) return Promise.resolve(item);
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  done(key: string): void {
    const since = this.#working.get(key);
    if (since === undefined) return;
    this.#working.delete(key);
    this.#options.metrics?.worked((this.#now() - since) / 1_000);
    const waiting = this.#entries.get(key);
    if (waiting !== undefined) this.#schedule(waiting);
    if (this.#working.size === 0) for (const resolve of this.#drained.splice(0)) resolve();
  }

  pause(): Promise<void> {
    this.#paused = true;
    return this.#whenDrained();
  }

  resume(): void {
    if (this.#shutDown) return;
    this.#paused = false;
    for (const resolve of this.#drained.splice(0)) resolve();
    this.#serve();
  }

  shutDown(): Promise<void> {
    this.#shutDown = true;
    this.#alarm?.cancel();
    for (const resolve of this.#takers.splice(0)) resolve(undefined);
    return this.#whenDrained();
  }

  get depth(): number {
    return this.#due.size;
  }

  get oldestMs(): number {
    const now = this.#now();
    let oldest = 0;
    for (const entry of this.#due) oldest = Math.max(oldest, now - entry.dueAt);
    return oldest;
  }

  get working(): number {
    return this.#working.size;
  }

  get unfinishedMs(): number {
    const now = this.#now();
    let sum = 0;
    for (const since of this.#working.values()) sum += now - since;
    return sum;
  }

  get longestRunningMs(): number {
    const now = this.#now();
    let longest = 0;
    for (const since of this.#working.values()) longest = Math.max(longest, now - since);
    return longest;
  }

  #whenDrained(): Promise<void> {
    if (this.#working.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  #put(request: Omit<QueueEntry<Why>, "sequence">): void {
    if (this.#shutDown) return;
    const waiting = this.#entries.get(request.key);
    const entry = waiting === undefined ? this.#enter(request) : this.#merge(waiting, request);
    if (!this.#working.has(entry.key)) this.#schedule(entry);
  }

  #enter(request: Omit<QueueEntry<Why>, "sequence">): QueueEntry<Why> {
    const entry = { ...request, sequence: this.#sequence++ };
    this.#entries.set(entry.key, entry);
    if (entry.dueAt <= this.#now()) this.#options.metrics?.added();
    return entry;
  }

  #merge(entry: QueueEntry<Why>, request: Omit<QueueEntry<Why>, "sequence">): QueueEntry<Why> {
    this.#due.remove(entry);
    if (this.#later.remove(entry) && request.dueAt <= this.#now()) this.#options.metrics?.added();
    entry.why = this.#options.merge(entry.why, request.why);
    entry.rank = Math.min(entry.rank, request.rank);
    entry.dueAt = Math.min(entry.dueAt, request.dueAt);
    return entry;
  }

  #schedule(entry: QueueEntry<Why>): void {
    if (entry.dueAt > this.#now()) {
      this.#later.push(entry);
      this.#setAlarm();
      return;
    }
    this.#due.push(entry);
    this.#serve();
  }

  #serve(): void {
    while (this.#takers.length > 0) {
      const item = this.#next();
      if (item === undefined) return;
      this.#takers.shift()?.(item);
    }
  }

  #next(): QueueItem<Why> | undefined {
    if (this.#shutDown || this.#paused) return undefined;
    const entry = this.#due.pop();
    if (entry === undefined) return undefined;
    const now = this.#now();
    this.#entries.delete(entry.key);
    this.#working.set(entry.key, now);
    const queuedMs = Math.max(0, now - entry.dueAt);
    this.#options.metrics?.queued(queuedMs / 1_000);
    const priority = QUEUE_PRIORITIES[entry.rank] ?? "background";
    const failures = this.#failures.get(entry.key) ?? 0;
    return { key: entry.key, priority, why: entry.why, queuedMs, failures };
  }

  #setAlarm(): void {
    const first = this.#later.peek();
    if (first === undefined || this.#shutDown) return;
    if (this.#alarm !== undefined && this.#alarm.at <= first.dueAt) return;
    this.#alarm?.cancel();
    const delayMs = Math.min(Math.max(0, first.dueAt - this.#now()), LONGEST_TIMER_MS);
    const cancel = this.#clock.after(delayMs, () => this.#ring());
    this.#alarm = { at: first.dueAt, cancel };
  }

  #ring(): void {
    this.#alarm = undefined;
    for (let first = this.#later.peek(); isDue(first, this.#now()); first = this.#later.peek()) {
      this.#later.remove(first);
      this.#options.metrics?.added();
      this.#due.push(first);
    }
    this.#serve();
    this.#setAlarm();
  }

  #now(): number {
    return this.#clock.monotonic();
  }
}

/** Timers of more than 2^31 ms fire at once, so a longer wait consists of several alarms. */
const LONGEST_TIMER_MS = 2 ** 30;

const BACKGROUND = QUEUE_PRIORITIES.indexOf("background");

function noJitter(): number {
  return 0.5;
}
