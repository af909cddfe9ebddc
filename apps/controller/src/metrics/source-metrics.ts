import type { SourceStatus } from "@cloudwright/provider-grpc/supervision/provider-source";
import { Counter, Gauge, type Registry } from "prom-client";

/** Exposes the state of a provider in another process; a provider in this process has none of these metrics. */
export function readSourceAtScrape(registry: Registry, status: () => SourceStatus): void {
  new Gauge({
    name: "cloudwright_provider_process_up",
    help: "1 while the provider that runs in another process answers.",
    registers: [registry],
    collect() {
      this.set(status().isUp ? 1 : 0);
    },
  });
  new Counter({
    name: "cloudwright_provider_process_restarts_total",
    help: "How often the provider's process was started again, or its sidecar was found to have been.",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(status().restarts);
    },
  });
}
