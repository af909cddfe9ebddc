import type { Renewal } from "@cloudwright/core/kube/lease/election";
import { type ControllerName, controllerOf } from "@cloudwright/core/model/controller-names";
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from "prom-client";
import { VERSION } from "../version.ts";

export interface ProcessMetrics {
  running(controller: ControllerName, runs: boolean): void;
  leads(lease: string, leads: boolean): void;
  slowPath(lease: string): void;
  renewed(lease: string, renewal: Renewal): void;
}

/** Creates the process-wide metrics of spec/00 §8 under upstream's names, and Node's own. */
export function createProcessMetrics(registry: Registry): ProcessMetrics {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  buildInfo(registers);
  const running = new Gauge({
    name: "running_managed_controllers",
    help: "1 for each controller that runs in this process.",
    labelNames: ["name", "manager"],
    registers,
  });
  const leader = new Gauge({
    name: "leader_election_master_status",
    help: "1 while this process holds the Lease, else 0.",
    labelNames: ["name"],
    registers,
  });
  const slowPath = new Counter({
    name: "leader_election_slowpath_total",
    help: "Renewals that needed a read first.",
    labelNames: ["name"],
    registers,
  });
  return {
    running: (controller, runs) =>
      running.set(
        { name: controllerOf(controller).metricName, manager: "cloud-controller-manager" },
        runs ? 1 : 0,
      ),
    leads: (name, leads) => leader.set({ name }, leads ? 1 : 0),
    slowPath: (name) => slowPath.inc({ name }),
    renewed: renewals(registers),
  };
}

/** Up to upstream's renew deadline: a longer delay ends the leader's term anyway. */
const DELAYS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 6, 8, 10];

function renewals(registers: Registry[]): ProcessMetrics["renewed"] {
  const delay = new Histogram({
    name: "cloudwright_lease_renewal_delay_seconds",
    help: "Time between the due time of a Lease renewal and its confirmation by the API server.",
    labelNames: ["name"],
    buckets: DELAYS_S,
    registers,
  });
  return (name, { lateMs, answerMs }) => delay.observe({ name }, (lateMs + answerMs) / 1_000);
}

function buildInfo(registers: Registry[]): void {
  const labels = { git_version: `v${VERSION}`, node_version: process.versions.node };
  for (const name of ["kubernetes_build_info", "cloudwright_build_info"]) {
    new Gauge({
      name,
      help: "1; the labels say which release this is.",
      labelNames: Object.keys(labels),
      registers,
    }).set(labels, 1);
  }
}
