import type { WorkQueueMetrics } from "@cloudwright/core/queue/metrics";
import type { MeasuredWorkQueue } from "@cloudwright/core/queue/work-queue";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** Powers of ten from ten nanoseconds on, as in upstream (spec/00 §8). */
const BUCKETS = Array.from({ length: 10 }, (_, power) => 10 ** (power - 8));

export interface QueueMetrics {
  /** Returns the metrics for creating a queue of this name. */
  of(name: string): WorkQueueMetrics;
  /** Reads this queue's gauges at each scrape from now on. */
  watch(queue: Watched): void;
}

type Watched = Pick<
  MeasuredWorkQueue<unknown>,
  "name" | "depth" | "unfinishedMs" | "longestRunningMs"
>;

/** Creates `workqueue_*{name}` of spec/00 §8. */
export function createQueueMetrics(registry: Registry): QueueMetrics {
  const shared = { labelNames: ["name"] as const, registers: [registry] };
  const watched = new Map<string, Watched>();
  gauges(watched, shared);
  const adds = new Counter({
    name: "workqueue_adds_total",
    help: "Keys that became due.",
    ...shared,
  });
  const retries = new Counter({
    name: "workqueue_retries_total",
    help: "Keys that were postponed by a failure or a wait.",
    ...shared,
  });
  const queued = new Histogram({
    name: "workqueue_queue_duration_seconds",
    help: "How long keys waited after they were due.",
    buckets: BUCKETS,
    ...shared,
  });
  const worked = new Histogram({
    name: "workqueue_work_duration_seconds",
    help: "How long keys were worked on.",
    buckets: BUCKETS,
    ...shared,
  });
  return {
    of: (name) => ({
      added: () => adds.inc({ name }),
      retried: () => retries.inc({ name }),
      queued: (seconds) => queued.observe({ name }, seconds),
      worked: (seconds) => worked.observe({ name }, seconds),
    }),
    watch: (queue) => {
      watched.set(queue.name, queue);
    },
  };
}

interface Shared {
  readonly labelNames: readonly ["name"];
  readonly registers: Registry[];
}

function gauges(watched: ReadonlyMap<string, Watched>, shared: Shared): void {
  const gauge = (name: string, help: string, read: (queue: Watched) => number) =>
    new Gauge({
      name,
      help,
      ...shared,
      collect() {
        for (const queue of watched.values()) this.set({ name: queue.name }, read(queue));
      },
    });
  gauge("workqueue_depth", "Keys that are due.", (queue) => queue.depth);
  gauge(
    "workqueue_unfinished_work_seconds",
    "Total time that all keys in work have been worked on.",
    (queue) => queue.unfinishedMs / 1_000,
  );
  gauge(
    "workqueue_longest_running_processor_seconds",
    "Longest time that a key in work has been worked on.",
    (queue) => queue.longestRunningMs / 1_000,
  );
}
