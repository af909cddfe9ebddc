import type { ServiceMetrics } from "@cloudwright/core/controllers/service/service-metrics";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** One second, doubled fourteen times, as upstream. */
const BUCKETS = Array.from({ length: 15 }, (_, power) => 2 ** power);

export interface BalancerMetrics extends ServiceMetrics {
  /** Reads the number of orphans at each scrape from now on. */
  countOrphans(read: () => number): void;
}

/** The metrics of spec/30 §8, then what upstream has none for. */
export function createServiceMetrics(registry: Registry): BalancerMetrics {
  const registers = [registry];
  const updates = new Counter({
    name: "service_controller_loadbalancer_sync_total",
    help: "Updates of the members of load balancers.",
    registers,
  });
  const failures = new Counter({
    name: "service_controller_nodesync_error_total",
    help: "Updates of members that failed.",
    registers,
  });
  const syncs = new Histogram({
    name: "service_controller_nodesync_latency_seconds",
    help: "How long all load balancers took to follow a change of nodes.",
    buckets: BUCKETS,
    registers,
  });
  const updateTimes = new Histogram({
    name: "service_controller_update_loadbalancer_host_latency_seconds",
    help: "How long one update of members took.",
    buckets: BUCKETS,
    registers,
  });
  const corrected = new Counter({
    name: "cloudwright_load_balancer_drift_corrected_total",
    help: "Writes that brought a load balancer back to what it should be.",
    labelNames: ["change"],
    registers,
  });
  return {
    observeMemberUpdate: (seconds) => {
      updates.inc();
      updateTimes.observe(seconds);
    },
    countMemberUpdateFailed: () => failures.inc(),
    observeNodeSync: (seconds) => syncs.observe(seconds),
    countDriftCorrected: (change) => corrected.inc({ change }),
    countOrphans: gaugeOfOrphans(registers),
  };
}

/** Only while somebody counts: a standby knows of none, which is not that there are none. */
function gaugeOfOrphans(registers: Registry[]): BalancerMetrics["countOrphans"] {
  let read: () => number = () => 0;
  let isShown = false;
  return (reader) => {
    read = reader;
    if (isShown) return;
    isShown = true;
    new Gauge({
      name: "cloudwright_orphaned_load_balancers",
      help: "Load balancers of this cluster without a Service.",
      registers,
      collect() {
        this.set(read());
      },
    });
  };
}
