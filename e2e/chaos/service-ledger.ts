import { rowsOf } from "../harness/database.ts";
import { demand, eventually } from "../harness/wait.ts";
import type { ServiceFleet } from "./fleets/service-fleet.ts";

/**
 * Waits until the ledger tells of every balancer that is there how it came, and of every one that was there how it went: by
 * an audit entry, also if the answer was lost, or by a run that was cut short in it. Answers its size in words.
 */
export function servicesWhole(url: string, services: ServiceFleet): Promise<string> {
  return eventually(() => check(url, services), { withinMs: 60_000 });
}

async function check(url: string, services: ServiceFleet): Promise<string> {
  const told = await tellings(url, services.cluster);
  const kept = new Set(services.servedNames);
  const unsaid = [...kept].filter((name) => !told.create.has(name));
  demand(unsaid.length === 0, `the ledger lacks how these came: ${unsaid.slice(0, 5)}`);
  const made = [...told.create].filter(([, results]) => results.has("applied"));
  const left = made.filter(([name]) => !(kept.has(name) || told.delete.has(name)));
  const leaked = left.map(([name]) => name).slice(0, 5);
  demand(left.length === 0, `the ledger lacks how these went: ${leaked}`);
  const wrongly = [...kept].filter((name) => told.delete.has(name) && !services.wentOnce(name));
  demand(wrongly.length === 0, `the ledger tells that these went: ${wrongly.slice(0, 5)}`);
  return `${services.everyName.length} Services told`;
}

/** By the Service's name: how it is told; `cut` by a run that did not come to its end. */
type Telling = ReadonlyMap<string, ReadonlySet<string>>;

async function tellings(
  url: string,
  cluster: string,
): Promise<Record<"create" | "delete", Telling>> {
  const rows = await rowsOf<{ action: string; name: string; result: string }>(
    url,
    `SELECT action, object_name AS name, result FROM audit_entries
      WHERE chain = $1 AND action LIKE 'balancer.%' AND result <> 'failed'
        AND 'load balancer' IN (before->>'what', after->>'what')
      UNION
     SELECT change->>'kind', object_name, 'cut' FROM runs, jsonb_array_elements(changes) AS change
      WHERE cluster_id = $1 AND outcome IN ('interrupted', 'timedOut')
        AND 'load balancer' IN (change->'before'->>'what', change->'after'->>'what')`,
    [cluster],
  );
  const of = (action: string) => {
    const told = new Map<string, Set<string>>();
    for (const row of rows.filter((one) => one.action === action)) {
      const name = row.name.split("/").at(-1) ?? "";
      told.set(name, (told.get(name) ?? new Set()).add(row.result));
    }
    return told;
  };
  return { create: of("balancer.create"), delete: of("balancer.delete") };
}
