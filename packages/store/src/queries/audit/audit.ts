import type { Json } from "@cloudwright/core/model/values/json";
import type { Database } from "../../database/database.ts";
import { type KeyColumn, type KeysetQuery, keysetPage, sqlConditions } from "../../sql/keyset.ts";
import { orUndefined } from "../../sql/stored-json.ts";
import { AUDIT_PROOFS, type AuditRow, type ListInput, type Page } from "../../views/views.ts";
import { type AuditFilter, addAuditFilter } from "./audit-filter.ts";
import { ASKED_ACTION, ASKED_KIND, entryAction } from "./requested-action.ts";
import { actorOf, objectOf, type WholeEntry } from "./stored-entry.ts";

/** `inserted`: by the number in the chain. `at`: by the time of what happened, which a late record may have out of that order. */
export type AuditSort = "inserted" | "at";

/**
 * Audit entries of a cluster, or of the chain `accounts`. Throws OperationError Invalid
 * for a bad limit or cursor.
 */
export async function listAudit(
  db: Database,
  input: ListInput<AuditFilter, AuditSort>,
): Promise<Page<AuditRow>> {
  return keysetPage(auditQuery(db, input));
}

interface ListedEntry extends WholeEntry {
  readonly at: Date;
  readonly before: Json;
  readonly after: Json;
  readonly asked_kind: string | null;
  readonly asked_wish: string | null;
  readonly written_by: string | null;
  readonly proof: string | null;
}

export function auditQuery(
  db: Pick<Database, "pool">,
  input: ListInput<AuditFilter, AuditSort>,
): KeysetQuery<ListedEntry, AuditRow> {
  const where = sqlConditions();
  where.texts.push(`chain = ${where.bind(input.cluster)}`);
  addAuditFilter(where, input.filter);
  return {
    pool: db.pool,
    table: "audit_entries",
    columns: COLUMNS,
    where,
    order: input.sort.by === "at" ? [BY_TIME, BY_NUMBER] : [BY_NUMBER],
    descending: input.sort.descending,
    binding: { list: "audit", cluster: input.cluster, filter: input.filter, sort: input.sort },
    cursor: input.cursor,
    limit: input.limit,
    view: auditRow,
  };
}

const BY_NUMBER: KeyColumn<ListedEntry> = {
  expression: "seq",
  type: "bigint",
  value: (row) => row.seq,
};
const BY_TIME: KeyColumn<ListedEntry> = {
  expression: "at",
  type: "timestamp",
  value: (row) => row.at.getTime(),
};

const COLUMNS = `id, seq, at, actor_kind, actor_id, actor_name, action, object_kind, object_namespace, object_name, object_uid,
  why, result, before, after, run_id, intent_id, client_address, client_agent, written_by, proof, hash,
  ${ASKED_KIND} AS asked_kind, ${ASKED_ACTION} AS asked_wish`;

function auditRow(row: ListedEntry): AuditRow {
  return {
    seq: Number(row.seq),
    id: row.id,
    at: row.at.getTime(),
    actor: actorOf(row),
    action: row.action,
    object: objectOf(row),
    why: row.why,
    result: row.result,
    before: row.before,
    after: row.after,
    runId: orUndefined(row.run_id),
    intentId: orUndefined(row.intent_id),
    intent: entryAction({ kind: row.asked_kind, wish: row.asked_wish }),
    client: clientOf(row),
    evidence: evidenceOf(row),
    hash: row.hash,
  };
}

function clientOf(row: ListedEntry): AuditRow["client"] {
  if (row.client_address === null && row.client_agent === null) return undefined;
  return { address: row.client_address ?? "", agent: row.client_agent ?? "" };
}

function evidenceOf({ written_by: login, proof }: ListedEntry): AuditRow["evidence"] {
  const known = AUDIT_PROOFS.find((one) => one === proof);
  return login === null || known === undefined ? undefined : { login, proof: known };
}
