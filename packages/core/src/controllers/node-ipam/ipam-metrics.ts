import type { AllocationMeter } from "./allocations.ts";

/** Upstream's metrics of this loop (spec/40 §10), one row for each range of the cluster. */
export interface IpamMetrics extends AllocationMeter {
  /** Reads the pools at each scrape from now on. */
  readPools(read: () => readonly PoolLevel[]): void;
}

export interface PoolLevel {
  readonly name: string;
  readonly used: number;
  readonly capacity: number;
}
