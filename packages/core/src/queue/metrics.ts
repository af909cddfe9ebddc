/**
 * Receives what upstream's `workqueue_*` metrics count (spec/00 §8); the queue's name is the label. Times are in
 * seconds.
 */
export interface WorkQueueMetrics {
  /** A key became due that was not due before. */
  added(): void;
  /** A key was requeued after a failure or a wait. */
  retried(): void;
  queued(seconds: number): void;
  worked(seconds: number): void;
}
