import type { ColumnType } from "@cloudwright/core/model/kinds/define-kind";
import { OBJECT_KINDS, STATE_TABLES } from "@cloudwright/core/model/kinds/kinds";
import type pg from "pg";
import type { Prisma } from "../generated/client.ts";
import { storableJson } from "../text/storable-json.ts";
import { columnName, quoted } from "./stored-json.ts";

/* By hand: bulk inserts that compare with existing rows: each takes its rows as one JSON array, with times in milliseconds. */

/**
 * A start never changes an existing row; an end completes a running one. The interrupted end that a successor wrote is replaced by the true
 * end if that arrives later. Runs that an hour was folded into are not inserted again.
 */
export const UPSERT_RUNS = upsert({
  table: "runs",
  columns: columnsBy({
    uuid: "id",
    text: `cluster_id instance controller object_kind object_namespace object_name object_uid
      trigger_kind intent_id outcome reason_code`,
    jsonb: "trigger reason next changes not_taken steps events",
    int: "attempt cloud_calls kube_calls change_count applied",
    time: "started_at",
    float8: "queued_ms duration_ms plan_ms",
    boolean: "dry_run has_bodies",
    "text[]": "request_keys",
  }),
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

/** The columns of all kinds (`packages/core/src/model/kinds`); each kind's table adds its own. */
const SHARED_COLUMNS: BulkInsert["columns"] = columnsBy({
  text: `cluster_id kind name name_key uid state reason_code controller drift last_run_id
    last_run_outcome provider_id address search_text`,
  jsonb: "parts reason detail",
  smallint: "state_rank",
  time: "since next_at last_run_at created_at gone_at updated_at",
  int: "failures",
  boolean: "dry_run",
});

/** The statements by table. */
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

/** Records may be drained again, and after newer ones: the newest run wins. */
export const UPSERT_SHADOW_PLANS = upsert({
  table: "shadow_plans",
  columns: columnsBy({
    text: `cluster_id controller object_kind object_namespace object_name object_uid outcome
      reason_code`,
    uuid: "run_id",
    time: "at",
    jsonb: "reason next changes not_taken",
    int: "change_count",
  }),
  key: ["cluster_id", "controller", "object_kind", "object_namespace", "object_name"],
  onlyIf: "shadow_plans.at <= EXCLUDED.at",
});

/** Records may be drained again, and after newer ones: counts never decrease. */
export const UPSERT_OBJECT_EVENTS = upsert({
  table: "object_events",
  columns: columnsBy({
    text: `cluster_id uid object_kind object_namespace object_name object_uid type reason message
      component`,
    int: "count",
    time: "first_at last_at",
  }),
  key: ["cluster_id", "uid"],
  onlyIf: `(object_events.last_at, object_events.count) < (EXCLUDED.last_at, EXCLUDED.count)`,
});

export const UPSERT_INSTANCES = upsert({
  table: "controller_instances",
  columns: columnsBy({
    text: "cluster_id identity version",
    boolean: "leader dry_run",
    int: "lease_transitions",
    time: "heard_at",
    bigint: "watch_silent_ms spool_bytes",
    jsonb: "controllers cloud controls process",
  }),
  key: ["cluster_id", "identity"],
  onlyIf: "controller_instances.heard_at <= EXCLUDED.heard_at",
});

export const UPSERT_SETTINGS = upsert({
  table: "controller_settings",
  columns: columnsBy({
    text: "cluster_id identity",
    time: "at",
    jsonb: "flags",
  }),
  key: ["cluster_id", "identity"],
  onlyIf: "controller_settings.at <= EXCLUDED.at",
});

/** A minute is written once; draining it again repeats the same values. */
export const INSERT_BUDGET_MINUTES = insert({
  table: "budget_minutes",
  columns: columnsBy({
    text: "cluster_id instance provider",
    time: "at",
    boolean: "dry_run",
    float8: "covered_ms limit_per_minute kube_limit_per_minute",
    int: "calls throttled kube_calls kube_throttled",
    jsonb: "cloud kube controllers waiters",
  }),
  key: ["cluster_id", "at", "instance"],
});

export const INSERT_GAPS = insert({
  table: "ledger_gaps",
  columns: columnsBy({
    uuid: "id",
    text: "cluster_id instance",
    time: "from_at to_at",
    int: "records calls",
  }),
  key: ["id"],
});

export const UPSERT_CLUSTERS = upsert({
  table: "clusters",
  columns: columnsBy({
    text: "id name provider",
    time: "last_heard_at",
  }),
  key: ["id"],
  onlyIf: "clusters.last_heard_at <= EXCLUDED.last_heard_at",
});

/**
 * Adds a JSON array of entry rows, in order, to their chains; the only way to add entries. An id that already exists is left out. The
 * chain's head stays locked until the transaction ends, so this comes late in it.
 */
export const ADD_ENTRIES = "SELECT cloudwright_audit($1::jsonb)";

/** A client that can add an entry. */
export type EntryClient = Pick<Prisma.TransactionClient, "$executeRaw">;

/** Adds one row the same way, within a transaction of Prisma's client. */
export async function addEntry(tx: EntryClient, row: object): Promise<void> {
  await tx.$executeRaw`SELECT cloudwright_audit(${storableJson(row)}::jsonb)`;
}

/** Names of columns by type, separated by spaces. */
type TypedColumns = Readonly<Partial<Record<ColumnType, string>>>;

function columnsBy(types: TypedColumns): BulkInsert["columns"] {
  const columns = Object.entries(types).flatMap(([type, names]) =>
    names.split(/\s+/).map((name) => [name, type as ColumnType] as const),
  );
  return Object.fromEntries(columns);
}

interface BulkInsert {
  readonly table: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
  /** The condition for rows to leave out. */
  readonly except?: string;
  /** The condition for replacing an existing row; always by default. */
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

/** Runs one of these statements, if there are rows. Throws the database's error. */
export async function insertRows(
  client: pg.Client,
  statement: string,
  rows: readonly object[],
): Promise<void> {
  if (rows.length > 0) await client.query(statement, [storableJson(rows)]);
}
