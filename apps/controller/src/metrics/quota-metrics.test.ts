import type { ServiceQuotas } from "@cloudwright/core/model/records/quota-record";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { readQuotasAtScrape } from "./quota-metrics.ts";

it("quotas are exposed as far as they are known, and only while this process follows them", async () => {
  const registry = new Registry();
  let latest: readonly ServiceQuotas[] = [
    {
      service: "Neutron",
      quotas: [
        { resource: "floating IPs", limit: 50, used: 49 },
        { resource: "ports", used: 7 },
      ],
    },
    { service: "Octavia", quotas: [{ resource: "pools", limit: 5 }], problem: "no answer" },
  ];
  readQuotasAtScrape(registry, () => latest);
  const shown = async () =>
    (await registry.metrics()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(await shown()).toEqual([
    'cloudwright_cloud_quota_limit{service="Neutron",resource="floating IPs"} 50',
    'cloudwright_cloud_quota_limit{service="Octavia",resource="pools"} 5',
    'cloudwright_cloud_quota_used{service="Neutron",resource="floating IPs"} 49',
    'cloudwright_cloud_quota_used{service="Neutron",resource="ports"} 7',
  ]);
  latest = [];
  expect(await shown()).toEqual([]);
});
