import type { ColumnType } from "@cloudwright/core/model/kinds/define-kind";
import { OBJECT_KINDS, STATE_TABLES } from "@cloudwright/core/model/kinds/kinds";
import type pg from "pg";
import type { Prisma } from "../generated/client.ts";
import { storableJson } from "../text/storable-json.ts";
import { columnName, quoted } from "./stored-json.ts";

/* Bulk inserts that compare with what is there: each takes its rows as one JSON array, with times in milliseconds. */

/**
 * A start never changes a row that is there; an end completes a running one. The interrupted end that a successor wrote
 * gives way to the true one, should that arrive after all. What an hour was folded into is not inserted again.
 */
export const UPSERT_RUNS = upsert({
  table: "runs",
  columns: {
    id: "uuid",
    cluster_id: "text",
    instance: "text",
    controller: "text",
    object_kind: "text",
    object_namespace: "text",
    object_name: "text",
    object_uid: "text",
    trigger_kind: "text",
    trigger: "jsonb",
    intent_id: "text",
    attempt: "int",
    outcome: "text",
    reason_code: "text",
    reason: "jsonb",
    next: "jsonb",
    started_at: "time",
    queued_ms: "float8",
    duration_ms: "float8",
    plan_ms: "float8",
    cloud_calls: "int",
    kube_calls: "int",
    change_count: "int",
    applied: "int",
    dry_run: "boolean",
    changes: "jsonb",
    not_taken: "jsonb",
    steps: "jsonb",
    has_bodies: "boolean",
    request_keys: "text[]",
  },
  key: ["cluster_id", "started_at", "id"],
  except: `given.outcome = 'unchanged'
    AND given.started_at < extract(epoch FROM date_trunc('hour', now(), 'UTC')) * 1000
    AND EXISTS (SELECT 1 FROM runs AS kept
                 WHERE kept.cluster_id = given.cluster_id AND kept.object_name = given.object_name
                   AND kept.started_at >= to_timestamp(given.started_at / 1000)
                   AND kept.started_at < to_timestamp(given.started_at / 1000) + interval '1 hour'
                   AND given.id = ANY(kept.folded_ids) AND given.id <> kept.id)`,
  onlyIf: `EXCLUDED.outcome <> 'running' AND (runs.outcome = 'running'
    OR (runs.outcome = 'interrupted' AND EXCLUDED.outcome <> 'interrupted'))`,
});

/** What the rows of all kinds have (`packages/core/src/model/kinds`), and the table of each kind with its own columns beside. */
const SHARED_COLUMNS: BulkInsert["columns"] = {
  cluster_id: "text",
  kind: "text",
  name: "text",
  name_key: "text",
  uid: "text",
  parts: "jsonb",
  state: "text",
  state_rank: "smallint",
  reason: "jsonb",
  reason_code: "text",
  controller: "text",
  since: "time",
  next_at: "time",
  failures: "int",
  drift: "text",
  last_run_id: "text",
  last_run_outcome: "text",
  last_run_at: "time",
  created_at: "time",
  gone_at: "time",
  updated_at: "time",
  provider_id: "text",
  address: "text",
  search_text: "text",
  detail: "jsonb",
  dry_run: "boolean",
};

/** By table. */
export const UPSERT_OBJECTS: ReadonlyMap<string, string> = new Map(
  STATE_TABLES.map((table) => [
    table,
    upsert({
      table,
      columns: { ...SHARED_COLUMNS, ...ownColumns(table) },
      key: ["cluster_id", "kind", "name"],
    }),
  ]),
);

function ownColumns(table: string): BulkInsert["columns"] {
  const kinds = OBJECT_KINDS.filter((kind) => kind.table === table);
  const columns = kinds.flatMap((kind) => Object.entries(kind.columns));
  return Object.fromEntries(columns.map(([name, { type }]) => [columnName(name), type]));
}

/** Records may be drained again, and after newer ones: the newest run counts. */
export const UPSERT_SHADOW_PLANS = upsert({
  table: "shadow_plans",
  columns: {
    cluster_id: "text",
    controller: "text",
    object_kind: "text",
    object_namespace: "text",
    object_name: "text",
    object_uid: "text",
    run_id: "uuid",
    at: "time",
    outcome: "text",
    reason: "jsonb",
    reason_code: "text",
    next: "jsonb",
    change_count: "int",
    changes: "jsonb",
    not_taken: "jsonb",
  },
  key: ["cluster_id", "controller", "object_kind", "object_namespace", "object_name"],
  onlyIf: "shadow_plans.at <= EXCLUDED.at",
});

export const UPSERT_INSTANCES = upsert({
  table: "controller_instances",
  columns: {
    cluster_id: "text",
    identity: "text",
    version: "text",
    leader: "boolean",
    lease_transitions: "int",
    heard_at: "time",
    watch_silent_ms: "bigint",
    spool_bytes: "bigint",
    dry_run: "boolean",
    controllers: "jsonb",
    cloud: "jsonb",
    controls: "jsonb",
    process: "jsonb",
  },
  key: ["cluster_id", "identity"],
  onlyIf: "controller_instances.heard_at <= EXCLUDED.heard_at",
});

export const UPSERT_SETTINGS = upsert({
  table: "controller_settings",
  columns: { cluster_id: "text", identity: "text", at: "time", flags: "jsonb" },
  key: ["cluster_id", "identity"],
  onlyIf: "controller_settings.at <= EXCLUDED.at",
});

/** A minute is written once; what is drained again says the same. */
export const INSERT_BUDGET_MINUTES = insert({
  table: "budget_minutes",
  columns: {
    cluster_id: "text",
    at: "time",
    instance: "text",
    provider: "text",
    dry_run: "boolean",
    covered_ms: "float8",
    calls: "int",
    throttled: "int",
    limit_per_minute: "float8",
    kube_calls: "int",
    kube_throttled: "int",
    kube_limit_per_minute: "float8",
    cloud: "jsonb",
    kube: "jsonb",
    controllers: "jsonb",
    waiters: "jsonb",
  },
  key: ["cluster_id", "at", "instance"],
});

export const INSERT_GAPS = insert({
  table: "ledger_gaps",
  columns: {
    id: "uuid",
    cluster_id: "text",
    instance: "text",
    from_at: "time",
    to_at: "time",
    records: "int",
    calls: "int",
  },
  key: ["id"],
});

export const UPSERT_CLUSTERS = upsert({
  table: "clusters",
  columns: { id: "text", name: "text", provider: "text", last_heard_at: "time" },
  key: ["id"],
  onlyIf: "clusters.last_heard_at <= EXCLUDED.last_heard_at",
});

/**
 * Adds a JSON array of entry rows, in their order, to their chains; the only way in. An id that is there already is left
 * out. The chain's head stays locked until the transaction ends, so this comes late in it.
 */
export const ADD_ENTRIES = "SELECT cloudwright_audit($1::jsonb)";

/** What an entry can be added by. */
export type EntryClient = Pick<Prisma.TransactionClient, "$executeRaw">;

/** One row of the same, within a transaction of Prisma's client. */
export async function addEntry(tx: EntryClient, row: object): Promise<void> {
  await tx.$executeRaw`SELECT cloudwright_audit(${storableJson(row)}::jsonb)`;
}

interface BulkInsert {
  readonly table: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
  /** Rows that are left out. */
  readonly except?: string;
  /** When a row that is there is replaced; always by default. */
  readonly onlyIf?: string;
}

function upsert(statement: BulkInsert): string {
  const assignments = Object.keys(statement.columns)
    .filter((column) => !statement.key.includes(column))
    .map((column) => `${quoted(column)} = EXCLUDED.${quoted(column)}`);
  const condition = statement.onlyIf === undefined ? "" : ` WHERE ${statement.onlyIf}`;
  return `${select(statement)} DO UPDATE SET ${assignments.join(", ")}${condition}`;
}

function insert(statement: BulkInsert): string {
  return `${select(statement)} DO NOTHING`;
}

function select(statement: BulkInsert): string {
  const columns = Object.entries(statement.columns);
  const names = columns.map(([column]) => quoted(column)).join(", ");
  const values = columns.map(([column, type]) => selected(column, type)).join(", ");
  const shape = columns.map(([column, type]) => `${quoted(column)} ${readAs(type)}`).join(", ");
  const key = statement.key.map(quoted).join(", ");
  const where = statement.except === undefined ? "" : ` WHERE (${statement.except}) IS NOT TRUE`;
  return `INSERT INTO ${statement.table} (${names}) SELECT ${values} FROM jsonb_to_recordset($1::jsonb) AS given(${shape})${where} ON CONFLICT (${key})`;
}

function selected(column: string, type: ColumnType): string {
  if (type === "time") return `to_timestamp(given.${quoted(column)} / 1000)`;
  return `given.${quoted(column)}`;
}

function readAs(type: ColumnType): string {
  return type === "time" ? "float8" : type;
}

/** Carries out one of these statements, if there are rows. Throws what the database says. */
export async function insertRows(
  client: pg.Client,
  statement: string,
  rows: readonly object[],
): Promise<void> {
  if (rows.length > 0) await client.query(statement, [storableJson(rows)]);
}
