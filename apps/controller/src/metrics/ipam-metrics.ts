import type { IpamMetrics, PoolLevel } from "@cloudwright/core/controllers/node-ipam/ipam-metrics";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** The metrics of spec/40 §10, by upstream's names; one of them has always been misspelt. */
export function createIpamMetrics(registry: Registry): IpamMetrics {
  const registers = [registry];
  const labelNames = ["clusterCIDR"];
  const allocations = new Counter({
    name: "node_ipam_controller_cidrset_cidrs_allocations_total",
    help: "Pod ranges that were allocated.",
    labelNames,
    registers,
  });
  const releases = new Counter({
    name: "node_ipam_controller_cidrset_cidrs_releases_total",
    help: "Pod ranges that were released.",
    labelNames,
    registers,
  });
  const tries = new Histogram({
    name: "node_ipam_controller_cidrset_allocation_tries_per_request",
    help: "How many pod ranges were checked before a free one was found.",
    labelNames,
    buckets: [1, 5, 25, 125, 625],
    registers,
  });
  return {
    used: (clusterCIDR, change) => {
      if (change > 0) allocations.inc({ clusterCIDR }, change);
      else releases.inc({ clusterCIDR }, -change);
    },
    tries: (clusterCIDR, count) => tries.observe({ clusterCIDR }, count),
    readPools: gaugesOfPools(registers),
  };
}

/** Only once somebody gives ranges: a standby knows of none. */
function gaugesOfPools(registers: Registry[]): IpamMetrics["readPools"] {
  let read: () => readonly PoolLevel[] = () => [];
  let isShown = false;
  return (reader) => {
    read = reader;
    if (isShown) return;
    isShown = true;
    gauge(registers, {
      name: "node_ipam_controller_cirdset_max_cidrs",
      help: "How many pod ranges there are, in use or not.",
      value: ({ capacity }) => capacity,
      read: () => read(),
    });
    gauge(registers, {
      name: "node_ipam_controller_cidrset_usage_cidrs",
      help: "Which part of the pod ranges is in use, from 0 to 1.",
      value: ({ used, capacity }) => used / capacity,
      read: () => read(),
    });
  };
}

interface PoolGauge {
  readonly name: string;
  readonly help: string;
  value(pool: PoolLevel): number;
  read(): readonly PoolLevel[];
}

function gauge(registers: Registry[], { name, help, value, read }: PoolGauge): void {
  new Gauge({
    name,
    help,
    labelNames: ["clusterCIDR"],
    registers,
    collect() {
      for (const pool of read()) this.set({ clusterCIDR: pool.name }, value(pool));
    },
  });
}
