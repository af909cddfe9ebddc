import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createServiceMetrics } from "./service-metrics.ts";

it("counts and times what upstream does, by upstream's names and buckets (spec/30 §8)", async () => {
  const registry = new Registry();
  const metrics = createServiceMetrics(registry);
  metrics.observeMemberUpdate(3);
  metrics.observeMemberUpdate(3);
  metrics.countMemberUpdateFailed();
  metrics.observeNodeSync(5);
  const text = await registry.metrics();
  expect(text).toContain("service_controller_loadbalancer_sync_total 2");
  expect(text).toContain("service_controller_nodesync_error_total 1");
  expect(text).toContain('service_controller_nodesync_latency_seconds_bucket{le="8"} 1');
  expect(text).toContain('service_controller_nodesync_latency_seconds_bucket{le="16384"} 1');
  expect(text).toContain("service_controller_update_loadbalancer_host_latency_seconds_count 2");
});

it("counts what the comparison has put right, and orphans once a leader knows of them", async () => {
  const registry = new Registry();
  const metrics = createServiceMetrics(registry);
  metrics.countDriftCorrected("balancer.update");
  const before = await registry.metrics();
  expect(before).toContain(
    'cloudwright_load_balancer_drift_corrected_total{change="balancer.update"} 1',
  );
  expect(before).not.toContain("cloudwright_orphaned_load_balancers");
  metrics.countOrphans(() => 1);
  metrics.countOrphans(() => 2);
  expect(await registry.metrics()).toContain("cloudwright_orphaned_load_balancers 2");
});
