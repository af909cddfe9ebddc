import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { createWebhookMetrics } from "./webhook-metrics.ts";

it("counts and times answers, successes included, with upstream's names and buckets (spec/00 §8, OW-4)", async () => {
  const registry = new Registry();
  const metrics = createWebhookMetrics(registry);
  metrics.answered({ webhook: "pvlabel", code: 200, ms: 600 });
  metrics.answered({ webhook: "pvlabel", code: 400, ms: 1 });
  const text = await registry.metrics();
  expect(text).toContain('cloud_provider_webhook_request_total{webhook="pvlabel",code="200"} 1');
  expect(text).toContain('cloud_provider_webhook_request_total{webhook="pvlabel",code="400"} 1');
  const duration = "cloud_provider_webhook_request_duration_seconds";
  const ofSuccess = 'webhook="pvlabel",code="200"';
  expect(text).toContain(`${duration}_bucket{le="0.5",${ofSuccess}} 0`);
  expect(text).toContain(`${duration}_bucket{le="0.7",${ofSuccess}} 1`);
});
