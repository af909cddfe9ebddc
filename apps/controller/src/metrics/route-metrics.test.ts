import { countSync, ROUTE_METRICS } from "@cloudwright/core/controllers/route/conclude";
import { showFigures } from "@cloudwright/core/controllers/route/gauges";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createDeclaredMetrics } from "./declared-metrics.ts";

it("counts passes and changes, and exposes nothing about the table before the first pass", async () => {
  const registry = new Registry();
  const { record } = createDeclaredMetrics(registry, ROUTE_METRICS);
  const sync = countSync("changed", "periodic");
  if (sync.kind === "metric") record(sync);
  const labels = { action: "create", outcome: "failed" };
  record({ name: "cloudwright_route_changes_total", value: 1, labels });
  const before = await registry.metrics();
  expect(before).toContain(
    'route_controller_route_sync_total{outcome="changed",trigger="periodic"} 1',
  );
  expect(before).toContain('cloudwright_route_changes_total{action="create",outcome="failed"} 1');
  expect(before).not.toContain("cloudwright_routes");
});

it("exposes the result of the last pass, and no table that is gone", async () => {
  const registry = new Registry();
  const found = showFigures(createDeclaredMetrics(registry, []));
  const counts = { present: 3, missing: 1, stale: 0, foreign: 2 };
  const table = { name: "old", used: 5, capacity: 50 };
  found({ ...counts, tables: [table, { name: "main", used: 5, capacity: 50 }] });
  found({ ...counts, tables: [{ name: "main", used: 6, capacity: undefined }] });
  const text = await registry.metrics();
  expect(text).toContain('cloudwright_routes{state="missing"} 1');
  expect(text).toContain('cloudwright_route_table_routes{table="main"} 6');
  expect(text).not.toContain('table="old"');
  expect(text).not.toContain("cloudwright_route_table_capacity{");
});
