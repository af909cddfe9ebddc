import { actorSchema } from "@cloudwright/core/model/audit";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import type { Database } from "../database.ts";
import type { AuditRow, ListInput, Page } from "../views.ts";
import { type KeysetQuery, keysetPage, sqlConditions } from "./keyset.ts";
import { orUndefined, readJson } from "./stored-json.ts";

export interface AuditFilter {
  readonly object?: Pick<ObjectRef, "kind" | "name"> | undefined;
  readonly actorId?: string | undefined;
  readonly action?: string | undefined;
  readonly intentId?: string | undefined;
  readonly runId?: string | undefined;
}

export type AuditSort = "inserted";

/** Audit entries of a cluster in the order of their insertion. Throws OperationError Invalid for a bad limit or cursor. */
export async function listAudit(
  db: Database,
  input: ListInput<AuditFilter, AuditSort>,
): Promise<Page<AuditRow>> {
  return keysetPage(auditQuery(db, input));
}

interface StoredEntry {
  readonly id: string;
  readonly seq: string;
  readonly at: Date;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly action: string;
  readonly object_kind: string | null;
  readonly object_namespace: string | null;
  readonly object_name: string | null;
  readonly object_uid: string | null;
  readonly why: string;
  readonly result: string;
  readonly run_id: string | null;
  readonly intent_id: string | null;
}

function auditQuery(
  db: Database,
  input: ListInput<AuditFilter, AuditSort>,
): KeysetQuery<StoredEntry, AuditRow> {
  const where = sqlConditions();
  const equals = (column: string, value: string | undefined) => {
    if (value !== undefined) where.texts.push(`${column} = ${where.bind(value)}`);
  };
  equals("chain", input.cluster);
  equals("object_kind", input.filter.object?.kind);
  equals("object_name", input.filter.object?.name);
  equals("actor_id", input.filter.actorId);
  equals("action", input.filter.action);
  equals("intent_id", input.filter.intentId);
  equals("run_id", input.filter.runId);
  return {
    pool: db.pool,
    table: "audit_entries",
    columns:
      "id, seq, at, actor_kind, actor_id, actor_name, action, object_kind, object_namespace, object_name, object_uid, why, result, run_id, intent_id",
    where,
    order: [{ expression: "seq", type: "bigint", value: (row) => row.seq }],
    descending: input.sort.descending,
    binding: { list: "audit", cluster: input.cluster, filter: input.filter, sort: input.sort },
    cursor: input.cursor,
    limit: input.limit,
    view: auditRow,
  };
}

function auditRow(row: StoredEntry): AuditRow {
  const actor = { kind: row.actor_kind, id: row.actor_id, name: row.actor_name };
  return {
    id: row.id,
    at: row.at.getTime(),
    actor: readJson(actorSchema, actor, { kind: "system", id: actor.id, name: actor.name }),
    action: row.action,
    object: objectOf(row),
    why: row.why,
    result: row.result,
    runId: orUndefined(row.run_id),
    intentId: orUndefined(row.intent_id),
  };
}

function objectOf(row: StoredEntry): AuditRow["object"] {
  if (row.object_kind === null || row.object_name === null) return undefined;
  return {
    kind: row.object_kind,
    namespace: orUndefined(row.object_namespace),
    name: row.object_name,
    uid: orUndefined(row.object_uid),
  };
}
