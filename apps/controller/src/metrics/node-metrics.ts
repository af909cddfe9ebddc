import { Counter, Histogram, type Registry } from "prom-client";

const DELAYS = [1, 4, 16, 64, 256, 1_024];
/** One millisecond, doubled fourteen times. */
const PASSES = Array.from({ length: 15 }, (_, power) => 0.001 * 2 ** power);

/** What the node and the lifecycle controller tell of themselves. */
export interface NodeMetrics {
  observeTaintRemovalDelay(seconds: number): void;
  observeInitialSyncDelay(seconds: number): void;
  countCall(operation: string, result: string): void;
  observePass(seconds: number): void;
}

/** The metrics of spec/10 §9 and spec/20 §5. */
export function createNodeMetrics(registry: Registry): NodeMetrics {
  const registers = [registry];
  const taintRemoval = new Histogram({
    name: "node_controller_cloud_provider_taint_removal_delay_seconds",
    help: "From a node's creation until its uninitialized taint was removed.",
    buckets: DELAYS,
    registers,
  });
  const initialSync = new Histogram({
    name: "node_controller_initial_node_sync_delay_seconds",
    help: "From a node's creation until its whole initialisation.",
    buckets: DELAYS,
    registers,
  });
  const calls = new Counter({
    name: "cloud_node_lifecycle_controller_cloud_provider_calls_total",
    help: "Questions to the cloud by operation and result.",
    labelNames: ["operation", "result"],
    registers,
  });
  const passes = new Histogram({
    name: "cloud_node_lifecycle_controller_monitor_nodes_duration_seconds",
    help: "Duration of one pass over the nodes that are not Ready.",
    buckets: PASSES,
    registers,
  });
  return {
    observeTaintRemovalDelay: (seconds) => taintRemoval.observe(seconds),
    observeInitialSyncDelay: (seconds) => initialSync.observe(seconds),
    countCall: (operation, result) => calls.inc({ operation, result }),
    observePass: (seconds) => passes.observe(seconds),
  };
}
