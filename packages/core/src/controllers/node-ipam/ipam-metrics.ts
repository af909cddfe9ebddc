import type { MetricDeclaration } from "../../reconcile/effects.ts";
import type { GaugeDeclaration, Instruments } from "../controller-module.ts";
import type { AllocationMeter } from "./allocations.ts";

/** Upstream's metrics of this loop (spec/40 §10), one series for each range of the cluster. */
export interface IpamMetrics extends AllocationMeter {
  /** Reads the pools at each scrape from now on. */
  readPools(read: () => readonly PoolLevel[]): void;
}

export interface PoolLevel {
  readonly name: string;
  readonly used: number;
  readonly capacity: number;
}

const ALLOCATIONS = "node_ipam_controller_cidrset_cidrs_allocations_total";
const RELEASES = "node_ipam_controller_cidrset_cidrs_releases_total";
const TRIES = "node_ipam_controller_cidrset_allocation_tries_per_request";
const labels = ["clusterCIDR"];

export const IPAM_METRICS: readonly MetricDeclaration[] = [
  { name: ALLOCATIONS, type: "counter", help: "Pod ranges that were allocated.", labels },
  { name: RELEASES, type: "counter", help: "Pod ranges that were released.", labels },
  {
    name: TRIES,
    type: "histogram",
    help: "How many pod ranges were checked before a free one was found.",
    labels,
    buckets: [1, 5, 25, 125, 625],
  },
];

/** Returns the metrics under upstream's names, one of which has always been misspelt. */
export function ipamMetrics({ record, gauge }: Instruments): IpamMetrics {
  return {
    used: (clusterCIDR, change) =>
      record(change > 0 ? ALLOCATIONS : RELEASES, Math.abs(change), { clusterCIDR }),
    tries: (clusterCIDR, count) => record(TRIES, count, { clusterCIDR }),
    readPools: (read) => {
      const values = (valueIn: (pool: PoolLevel) => number) => () =>
        read().map((pool) => ({ value: valueIn(pool), labels: { clusterCIDR: pool.name } }));
      gauge(
        CAPACITY,
        values(({ capacity }) => capacity),
      );
      gauge(
        USAGE,
        values(({ used, capacity }) => used / capacity),
      );
    },
  };
}

const CAPACITY: GaugeDeclaration = {
  name: "node_ipam_controller_cirdset_max_cidrs",
  help: "How many pod ranges there are, in use or not.",
  labels,
};
const USAGE: GaugeDeclaration = {
  name: "node_ipam_controller_cidrset_usage_cidrs",
  help: "Share of the pod ranges that is in use, from 0 to 1.",
  labels,
};

export const IPAM_GAUGES: readonly GaugeDeclaration[] = [CAPACITY, USAGE];
