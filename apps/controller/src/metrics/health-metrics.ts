import { Counter, Gauge, Registry } from "prom-client";

/** The health endpoints; the metrics' label `type`. */
export type HealthPath = "healthz" | "livez" | "readyz";

export interface HealthMetrics {
  /** Contains only these metrics, which have a page of their own: `/metrics/slis`. */
  readonly registry: Registry;
  checked(path: HealthPath, name: string, isWell: boolean): void;
}

/** Exposes each health check's last result, and how often it ran, under upstream's names (spec/00 §7). */
export function createHealthMetrics(): HealthMetrics {
  const registry = new Registry();
  const registers = [registry];
  const state = new Gauge({
    name: "kubernetes_healthcheck",
    help: "1 if the health check passed last time, else 0.",
    labelNames: ["name", "type"],
    registers,
  });
  const count = new Counter({
    name: "kubernetes_healthchecks_total",
    help: "Number of runs of each health check, by result.",
    labelNames: ["name", "type", "status"],
    registers,
  });
  return {
    registry,
    checked: (type, name, isWell) => {
      state.set({ name, type }, isWell ? 1 : 0);
      count.inc({ name, type, status: isWell ? "success" : "error" });
    },
  };
}
