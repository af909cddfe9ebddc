import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { readCertificatesAtScrape } from "./certificate-metrics.ts";

it("reports for each server when its certificate expires and whether its files can be used", async () => {
  const registry = new Registry();
  readCertificatesAtScrape(registry, () => [
    { server: "https", expiresAt: () => 1_900_000_000_000, problem: () => undefined },
    { server: "webhooks", expiresAt: () => 1_800_000_000_000, problem: () => "no pair" },
  ]);
  const lines = (await registry.metrics()).split("\n");
  for (const line of [
    'cloudwright_certificate_expiry_timestamp_seconds{server="https"} 1900000000',
    'cloudwright_certificate_expiry_timestamp_seconds{server="webhooks"} 1800000000',
    'cloudwright_certificate_files_unusable{server="https"} 0',
    'cloudwright_certificate_files_unusable{server="webhooks"} 1',
  ])
    expect(lines).toContain(line);
});
