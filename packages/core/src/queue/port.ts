/** Most urgent first. A user's retry goes before anything else. */
export const QUEUE_PRIORITIES = ["person", "change", "background"] as const;
export type QueuePriority = (typeof QUEUE_PRIORITIES)[number];

export interface QueueItem<Why> {
  readonly key: string;
  readonly priority: QueuePriority;
  /** Why it is due; if several reasons were merged, the most urgent one. */
  readonly why: Why;
  /** How many milliseconds it waited after it was due. */
  readonly queuedMs: number;
  /** Failures in a row before this run; 0 for a healthy key. */
  readonly failures: number;
}

/**
 * A set of keys that need work. One worker at a time works on a key; if the key is added meanwhile, it runs once
 * more afterwards. Repeats merge, keeping the higher priority and the earlier due time.
 */
export interface WorkQueue<Why> {
  /** Makes the key due now, ignoring any backoff: a change of its object cannot wait. */
  add(key: string, why: Why, priority?: QueuePriority): void;
  /** Makes it due later, unless it is already due earlier. */
  addAfter(key: string, why: Why, delayMs: number): void;
  /** Counts a failure and makes it due after the key's backoff. Returns that delay in milliseconds. */
  addFailed(key: string, why: Why, minimumMs?: number): number;
  /** Forgets the key's failures. */
  forget(key: string): void;
  /** Resolves with the next item once there is one; undefined once the queue is shut down. */
  take(): Promise<QueueItem<Why> | undefined>;
  /** Reports that work on a taken key has ended. */
  done(key: string): void;
  /**
   * Hands out no more keys until `resume`; added keys gather. Work in progress may finish: resolves when the last key is done,
   * or at `resume`.
   */
  pause(): Promise<void>;
  resume(): void;
  /** Hands out no more keys; work in progress may finish. Resolves when the last key is done. */
  shutDown(): Promise<void>;
  readonly depth: number;
  /** How many milliseconds the longest-waiting due key has waited. */
  readonly oldestMs: number;
}
