/** Most urgent first. A user's retry goes before anything else. */
export const QUEUE_PRIORITIES = ["person", "change", "background"] as const;
export type QueuePriority = (typeof QUEUE_PRIORITIES)[number];

export interface QueueItem<Why> {
  readonly key: string;
  readonly priority: QueuePriority;
  /** Why it is due; the most urgent reason when several were merged. */
  readonly why: Why;
  /** Milliseconds that it waited after it was due. */
  readonly queuedMs: number;
  /** Failures in a row before this run; 0 for a key that is well. */
  readonly failures: number;
}

/**
 * A set of keys that want work. One key is worked on by one worker at a time; what is added meanwhile runs once
 * more afterwards; repeats merge, keeping the higher priority and the earlier due time.
 */
export interface WorkQueue<Why> {
  /** Makes the key due now, past any backoff: a change of its object cannot wait. */
  add(key: string, why: Why, priority?: QueuePriority): void;
  /** Makes it due later, unless it is due earlier already. */
  addAfter(key: string, why: Why, delayMs: number): void;
  /** Counts a failure and makes it due after the key's backoff. Returns that delay in milliseconds. */
  addFailed(key: string, why: Why, minimumMs?: number): number;
  /** Forgets the key's failures. */
  forget(key: string): void;
  /** The next item, when there is one; undefined once the queue is shut down. */
  take(): Promise<QueueItem<Why> | undefined>;
  /** Says that a taken key is no longer being worked on. */
  done(key: string): void;
  /**
   * Hands out no more keys until `resume`; those that are added gather. Those being worked on may finish: resolves when the last
   * is done, or with `resume`.
   */
  pause(): Promise<void>;
  resume(): void;
  /** No more keys are handed out; those being worked on may finish. Resolves when the last is done. */
  shutDown(): Promise<void>;
  readonly depth: number;
  /** Milliseconds that the longest-waiting due key has waited. */
  readonly oldestMs: number;
}
