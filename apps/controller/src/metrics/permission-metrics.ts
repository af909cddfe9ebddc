import { Gauge, type Registry } from "prom-client";

/** One verb on one resource, such as `patch` on `nodes/status`. */
export interface MissingPermission {
  readonly verb: string;
  readonly resource: string;
}

/** Exposes the permissions that this process needs but lacks, read at each scrape. */
export function readPermissionsAtScrape(
  registry: Registry,
  missing: () => readonly MissingPermission[],
): void {
  new Gauge({
    name: "cloudwright_permissions_missing",
    help: "Permissions that this process needs but does not have.",
    labelNames: ["verb", "resource"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { verb, resource } of missing()) this.inc({ verb, resource });
    },
  });
}
