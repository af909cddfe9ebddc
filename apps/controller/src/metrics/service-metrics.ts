import { Gauge, type Registry } from "prom-client";

export interface BalancerMetrics {
  /** Reads the number of load balancers without a Service at each scrape from now on. */
  countOrphans(read: () => number): void;
}

/** Only while somebody counts: a standby knows of none, which is not that there are none. */
export function createServiceMetrics(registry: Registry): BalancerMetrics {
  let read: () => number = () => 0;
  let isShown = false;
  return {
    countOrphans: (reader) => {
      read = reader;
      if (isShown) return;
      isShown = true;
      new Gauge({
        name: "cloudwright_orphaned_load_balancers",
        help: "Load balancers of this cluster without a Service.",
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
  };
}
