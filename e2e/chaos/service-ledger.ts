import { rowsOf } from "../harness/database.ts";
import { demand, eventually } from "../harness/wait.ts";
import type { ServiceFleet } from "./service-fleet.ts";

/**
 * Waits until the ledger tells of every Service how its balancer came, and of every one that went how it went: by an audit
 * entry, or by a run that was cut short in it. Answers its size in words.
 */
export async function servicesWhole(url: string, services: ServiceFleet): Promise<string> {
  return eventually(
    async () => {
      const made = await told(url, "balancer.create");
      const gone = await told(url, "balancer.delete");
      const untold = services.everyName.filter((name) => !made.has(name));
      demand(untold.length === 0, `the ledger lacks how these came: ${untold.slice(0, 5)}`);
      const kept = new Set(services.names);
      const unsaid = services.everyName.filter((name) => !kept.has(name) && !gone.has(name));
      demand(unsaid.length === 0, `the ledger lacks how these went: ${unsaid.slice(0, 5)}`);
      const wrongly = services.names.filter((name) => gone.has(name));
      demand(wrongly.length === 0, `the ledger tells that these went: ${wrongly.slice(0, 5)}`);
      return `${services.everyName.length} Services told`;
    },
    { withinMs: 60_000 },
  );
}

async function told(url: string, action: string): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<{ name: string }>(
    url,
    `SELECT object_name AS name FROM audit_entries WHERE action = $1
      UNION SELECT object_name FROM runs WHERE outcome IN ('interrupted', 'timedOut', 'failed')
        AND EXISTS (SELECT 1 FROM jsonb_array_elements(changes) AS change WHERE change->>'kind' = $1)`,
    [action],
  );
  return new Set(rows.map(({ name }) => name.split("/").at(-1) ?? ""));
}
