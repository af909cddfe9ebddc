import type { QuotaUse, ServiceQuotas } from "@cloudwright/core/model/records/quota-record";
import { Gauge, type Registry } from "prom-client";

/** Exposes the quotas that the leader last read, on a cloud that has quotas. */
export function readQuotasAtScrape(
  registry: Registry,
  latest: () => readonly ServiceQuotas[],
): void {
  const gauge = (name: string, help: string, read: (quota: QuotaUse) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ["service", "resource"],
      registers: [registry],
      collect() {
        this.reset();
        for (const { service, quota } of latest().flatMap(each)) {
          const value = read(quota);
          if (value !== undefined) this.set({ service, resource: quota.resource }, value);
        }
      },
    });
  gauge(
    "cloudwright_cloud_quota_limit",
    "How much the cloud grants of a resource; absent without a limit.",
    ({ limit }) => limit,
  );
  gauge(
    "cloudwright_cloud_quota_used",
    "How much of a resource the project has; absent where the cloud does not say.",
    ({ used }) => used,
  );
}

function each({ service, quotas }: ServiceQuotas) {
  return quotas.map((quota) => ({ service, quota }));
}
