import { rowsOf } from "../harness/database.ts";
import { runCloudwright } from "../harness/processes.ts";
import { demand, eventually, same } from "../harness/wait.ts";
import type { Fleet } from "./fleets/fleet.ts";
import type { ServiceFleet } from "./fleets/service-fleet.ts";

export interface LedgerOptions {
  /** The database's owner's. */
  readonly url: string;
  readonly kubeconfig: string;
  readonly fleet: Fleet;
  /** What a full disk swallowed must then be reported as a gap; otherwise there must be none. */
  readonly gap: boolean;
  /** Nodes whose runs fell into the gap. */
  readonly unrecorded: ReadonlySet<string>;
}

/**
 * Waits until the ledger has all that happened to the fleet, once and in order, and has the audit chain verified. Answers
 * its size in words.
 */
export async function ledgerWhole(options: LedgerOptions): Promise<string> {
  const size = await eventually(() => check(options), { withinMs: 60_000 });
  await runCloudwright([
    ...["audit", "verify", "--database-url", options.url],
    ...["--kubeconfig", options.kubeconfig],
  ]);
  return size;
}

async function check(options: LedgerOptions): Promise<string> {
  await noneOf(options.url, BROKEN_RULES);
  if (!options.gap) await noneOf(options.url, LOSSES);
  await everyNodeReported(options);
  await onlyTheLostDeleted(options);
  const [size] = await rowsOf<{ runs: string; entries: string; gaps: string }>(
    options.url,
    `SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM audit_entries) AS entries,
            (SELECT coalesce(sum(records), 0) FROM ledger_gaps) AS gaps`,
  );
  demand(size !== undefined, "the ledger cannot be counted");
  demand(!options.gap || Number(size.gaps) > 0, "the ledger does not report its gap");
  const lost = options.gap ? `, a gap of ${size.gaps} records reported` : "";
  return `${size.runs} runs and ${size.entries} audit entries whole${lost}`;
}

/** Each answers the rows that break a rule of the ledger. */
const BROKEN_RULES: Readonly<Record<string, string>> = {
  "runs without an end": "SELECT id FROM runs WHERE outcome = 'running'",
  "runs that are there twice": "SELECT id FROM runs GROUP BY id HAVING count(*) > 1",
  "runs that end before they start":
    "SELECT id FROM runs WHERE outcome <> 'interrupted' AND (duration_ms IS NULL OR duration_ms < 0)",
  "audit entries of no known chain":
    "SELECT id FROM audit_entries WHERE chain NOT IN (SELECT chain FROM audit_chains)",
  "places that are missing in an audit chain": `
    SELECT chain AS id FROM audit_entries GROUP BY chain
    HAVING count(*) <> max(seq) OR min(seq) <> 1`,
  // The state of a user's action is written to the database at once, past what still waits in the spool.
  "audit entries that one controller wrote in another order": `
    SELECT id FROM (
      SELECT id, at, lag(at) OVER (PARTITION BY chain, actor_id ORDER BY seq) AS before
        FROM audit_entries WHERE run_id IS NOT NULL AND action NOT LIKE 'intent.%') AS entries
     WHERE at < before`,
  "actions that have not ended":
    "SELECT id FROM intents WHERE state IN ('awaiting-approval', 'requested', 'claimed', 'running')",
  "actions that were not asked for once and ended once": `
    SELECT intent.id FROM intents AS intent, unnest(ARRAY['intent.request', 'intent.end']) AS step
     WHERE 1 <> (SELECT count(*) FROM audit_entries AS entry
                  WHERE entry.intent_id = intent.id::text AND entry.action = step
                    AND NOT (step = 'intent.request' AND entry.result = 'refused'))`,
  // To write a load balancer again is no harm, and no other way to know that all of it was written.
  "changes that were made twice for one action": `
    SELECT intent_id AS id FROM audit_entries
     WHERE intent_id IS NOT NULL AND result = 'applied'
       AND action NOT LIKE 'intent.%' AND action NOT LIKE 'balancer.%'
     GROUP BY intent_id, action, object_name HAVING count(*) > 1`,
};

/** A full disk may have swallowed a run's start or end, or an audit entry, but then there is a gap. */
const LOSSES: Readonly<Record<string, string>> = {
  "gaps of the ledger": "SELECT id FROM ledger_gaps",
  "audit entries without their run": `
    SELECT id FROM audit_entries
     WHERE run_id IS NOT NULL AND run_id NOT IN (SELECT id::text FROM runs)`,
  "audit entries from before their run": `
    SELECT entry.id FROM audit_entries AS entry JOIN runs AS run ON run.id::text = entry.run_id
     WHERE entry.at < run.started_at`,
  "runs whose applied changes are not the audited ones": `
    SELECT run.id FROM runs AS run
     WHERE run.outcome <> 'interrupted' AND NOT run.dry_run
       AND coalesce(run.applied, 0) <> (
         SELECT count(*) FROM audit_entries AS entry
          WHERE entry.run_id = run.id::text AND entry.result = 'applied'
            AND entry.action NOT LIKE 'intent.%')`,
};

async function noneOf(url: string, rules: Readonly<Record<string, string>>): Promise<void> {
  for (const [what, sql] of Object.entries(rules)) {
    const rows = await rowsOf<{ id: string }>(url, sql);
    const some = rows.slice(0, 3).map(({ id }) => id);
    demand(rows.length === 0, `${what}: ${rows.length}, such as ${some.join(", ")}`);
  }
}

/** By the audit entry of who initialised it, also if the answer was lost, or by a run that was cut short in doing so. */
async function everyNodeReported({ url, fleet, unrecorded }: LedgerOptions): Promise<void> {
  const rows = await rowsOf<{ name: string }>(
    url,
    `SELECT DISTINCT object_name AS name FROM runs
      WHERE outcome IN ('interrupted', 'timedOut')
         OR id::text IN (SELECT run_id FROM audit_entries WHERE action = 'node.initialise')`,
  );
  const reported = new Set(rows.map(({ name }) => name));
  const missing = fleet.everyName.filter((name) => !reported.has(name) && !unrecorded.has(name));
  demand(missing.length === 0, `the ledger lacks how these came about: ${missing.slice(0, 5)}`);
}

async function onlyTheLostDeleted({ url, fleet, gap }: LedgerOptions): Promise<void> {
  const rows = await rowsOf<{ name: string }>(
    url,
    `SELECT object_name AS name FROM audit_entries WHERE action = 'node.delete' AND result IN ('applied', 'unknown')
      UNION SELECT object_name FROM runs, jsonb_array_elements(changes) AS change
             WHERE outcome = 'interrupted' AND change->>'kind' = 'node.delete'`,
  );
  const deleted = new Set(rows.map(({ name }) => name));
  const wrongly = [...deleted].filter((name) => !fleet.lostNames.has(name));
  same(wrongly, [], "what was deleted although its machine was there");
  const unsaid = [...fleet.lostNames].filter((name) => !deleted.has(name));
  demand(gap || unsaid.length === 0, `the ledger does not say who deleted ${unsaid.slice(0, 5)}`);
}

/**
 * Waits until the ledger says how every load balancer that is there came, and how every one that was there went: by
 * an audit entry, also if the answer was lost, or by a run that was cut short in it. Answers its size in words.
 */
export function servicesWhole(url: string, services: ServiceFleet): Promise<string> {
  return eventually(() => checkServices(url, services), { withinMs: 60_000 });
}

async function checkServices(url: string, services: ServiceFleet): Promise<string> {
  const reported = await recordedWrites(url, services.cluster);
  const kept = new Set(services.servedNames);
  const unsaid = [...kept].filter((name) => !reported.create.has(name));
  demand(unsaid.length === 0, `the ledger lacks how these came: ${unsaid.slice(0, 5)}`);
  const made = [...reported.create].filter(([, results]) => results.has("applied"));
  const left = made.filter(([name]) => !(kept.has(name) || reported.delete.has(name)));
  const leaked = left.map(([name]) => name).slice(0, 5);
  demand(left.length === 0, `the ledger lacks how these went: ${leaked}`);
  const wrongly = [...kept].filter((name) => reported.delete.has(name) && !services.wentOnce(name));
  demand(wrongly.length === 0, `the ledger says that these went: ${wrongly.slice(0, 5)}`);
  return `${services.everyName.length} Services recorded`;
}

/** By the Service's name: how it is recorded; `cut` by a run that did not end. */
type Reporting = ReadonlyMap<string, ReadonlySet<string>>;

async function recordedWrites(
  url: string,
  cluster: string,
): Promise<Record<"create" | "delete", Reporting>> {
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
    const reported = new Map<string, Set<string>>();
    for (const row of rows.filter((one) => one.action === action)) {
      const name = row.name.split("/").at(-1) ?? "";
      reported.set(name, (reported.get(name) ?? new Set()).add(row.result));
    }
    return reported;
  };
  return { create: of("balancer.create"), delete: of("balancer.delete") };
}
