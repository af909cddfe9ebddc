import { CONTROLLERS, type ControllerName } from "@cloudwright/core/model/controller-names";
import { Counter, collectDefaultMetrics, Gauge, type Registry } from "prom-client";
import { VERSION } from "../version.ts";

export interface ProcessMetrics {
  running(controller: ControllerName, runs: boolean): void;
  leads(lease: string, leads: boolean): void;
  slowPath(lease: string): void;
}

/** The process-wide metrics of spec/00 §8 under upstream's names, and Node's own. */
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
    help: "1 while this process holds the lease, else 0.",
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
        { name: CONTROLLERS[controller].metricName, manager: "cloud-controller-manager" },
        runs ? 1 : 0,
      ),
    leads: (name, leads) => leader.set({ name }, leads ? 1 : 0),
    slowPath: (name) => slowPath.inc({ name }),
  };
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
