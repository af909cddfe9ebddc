import { SERVICE_METRICS } from "@cloudwright/core/controllers/service/metrics";
import { ORPHANS } from "@cloudwright/core/controllers/service/module";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createDeclaredMetrics } from "./declared-metrics.ts";

it("counts and times what upstream does, with upstream's names and buckets (spec/30 §8)", async () => {
  const registry = new Registry();
  const { record } = createDeclaredMetrics(registry, SERVICE_METRICS);
  record({ name: "service_controller_loadbalancer_sync_total", value: 1 });
  record({ name: "service_controller_loadbalancer_sync_total", value: 1 });
  record({ name: "service_controller_update_loadbalancer_host_latency_seconds", value: 3 });
  record({ name: "service_controller_nodesync_error_total", value: 1 });
  record({ name: "service_controller_nodesync_latency_seconds", value: 5 });
  const text = await registry.metrics();
  expect(text).toContain("service_controller_loadbalancer_sync_total 2");
  expect(text).toContain("service_controller_nodesync_error_total 1");
  expect(text).toContain('service_controller_nodesync_latency_seconds_bucket{le="8"} 1');
  expect(text).toContain('service_controller_nodesync_latency_seconds_bucket{le="16384"} 1');
  expect(text).toContain("service_controller_update_loadbalancer_host_latency_seconds_count 1");
});

it("counts what the comparison has corrected, and orphans once a leader knows them", async () => {
  const registry = new Registry();
  const name = "cloudwright_load_balancer_drift_corrected_total";
  const labels = { change: "balancer.update" };
  const { record, gauge } = createDeclaredMetrics(registry, SERVICE_METRICS);
  record({ name, value: 1, labels });
  const before = await registry.metrics();
  expect(before).toContain(`${name}{change="balancer.update"} 1`);
  expect(before).not.toContain("cloudwright_orphaned_load_balancers");
  gauge(ORPHANS, () => [{ value: 1 }]);
  gauge(ORPHANS, () => [{ value: 2 }]);
  expect(await registry.metrics()).toContain("cloudwright_orphaned_load_balancers 2");
});
