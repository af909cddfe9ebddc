import { IPAM_METRICS, ipamMetrics } from "@cloudwright/core/controllers/node-ipam/ipam-metrics";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createDeclaredMetrics } from "./declared-metrics.ts";

function metricsIn(registry: Registry) {
  const { record, gauge } = createDeclaredMetrics(registry, IPAM_METRICS);
  return ipamMetrics({
    gauge,
    record: (name, value, labels = {}) => record({ name, value, labels }),
  });
}

const RANGE = "10.120.0.0/22";
const LABEL = `{clusterCIDR="${RANGE}"}`;

it("counts allocations and releases, under upstream's names (spec/40 §10)", async () => {
  const registry = new Registry();
  const metrics = metricsIn(registry);
  metrics.used(RANGE, 2);
  metrics.used(RANGE, -1);
  metrics.tries(RANGE, 4);
  const text = await registry.metrics();
  expect(text).toContain(`node_ipam_controller_cidrset_cidrs_allocations_total${LABEL} 2`);
  expect(text).toContain(`node_ipam_controller_cidrset_cidrs_releases_total${LABEL} 1`);
  expect(text).toContain(
    `node_ipam_controller_cidrset_allocation_tries_per_request_bucket{le="5",clusterCIDR="${RANGE}"} 1`,
  );
});

it("reports how full the ranges are, once a leader knows them", async () => {
  const registry = new Registry();
  const metrics = metricsIn(registry);
  expect(await registry.metrics()).not.toContain("cirdset_max_cidrs");
  metrics.readPools(() => []);
  metrics.readPools(() => [{ name: RANGE, used: 1, capacity: 4 }]);
  const text = await registry.metrics();
  expect(text).toContain(`node_ipam_controller_cirdset_max_cidrs${LABEL} 4`);
  expect(text).toContain(`node_ipam_controller_cidrset_usage_cidrs${LABEL} 0.25`);
});
