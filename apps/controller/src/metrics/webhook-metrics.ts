import { Counter, Histogram, type Registry } from "prom-client";

export interface WebhookMetrics {
  answered(answer: { readonly webhook: string; readonly code: number; readonly ms: number }): void;
}

/** Creates the metrics of spec/00 §8 under upstream's names; successes are counted as well (OW-4). */
export function createWebhookMetrics(registry: Registry): WebhookMetrics {
  const registers = [registry];
  const labelNames = ["code", "webhook"] as const;
  const requests = new Counter({
    name: "cloud_provider_webhook_request_total",
    help: "Requests from API servers that a webhook answered, by HTTP status.",
    labelNames,
    registers,
  });
  const durations = new Histogram({
    name: "cloud_provider_webhook_request_duration_seconds",
    help: "How long a webhook took to answer.",
    labelNames,
    buckets: [0.25, 0.5, 0.7, 1, 1.5, 3, 5, 10],
    registers,
  });
  return {
    answered: ({ webhook, code, ms }) => {
      const labels = { webhook, code: String(code) };
      requests.inc(labels);
      durations.observe(labels, ms / 1_000);
    },
  };
}
