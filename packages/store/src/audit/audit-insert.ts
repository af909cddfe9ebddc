import { randomUUID } from "node:crypto";
import type { AuditEntry } from "@cloudwright/core/model/audit/audit";
import type { Client } from "../operations/client.ts";
import { addEntry, type EntryClient } from "../sql/statements.ts";
import type { UserProof } from "../users/session-proof.ts";

/** The client is absent when no request caused the entry. */
export type NewAuditEntry = Omit<AuditEntry, "type" | "id" | "at"> & EntrySource;

/**
 * Adds an audit entry to its chain in the same transaction as the change it records: if one fails, so does the other. Other writers of the
 * chain wait until that transaction ends, so add the entry last.
 */
export async function insertAuditEntry(
  tx: EntryClient,
  { client, proof, ...entry }: NewAuditEntry,
): Promise<void> {
  const row = entryRow({ ...entry, id: randomUUID(), at: Date.now() }, { client, proof });
  await addEntry(tx, row);
}

/** Records a refusal; one entry may stand for many equal ones in a row (audit/refusal-log.ts). */
export async function insertRefusal(
  db: {
    readonly prisma: EntryClient;
    readonly refusals?: { record(entry: NewAuditEntry): Promise<void> } | undefined;
  },
  entry: NewAuditEntry,
): Promise<void> {
  if (db.refusals === undefined) await insertAuditEntry(db.prisma, entry);
  else await db.refusals.record(entry);
}

export interface EntrySource {
  readonly client?: Client | undefined;
  /** Without a proof the dashboard's login cannot write an entry for a user, unless the session was verified in the same transaction. */
  readonly proof?: UserProof | undefined;
}

/** Returns an entry by column name, with `at` in milliseconds and its user's proof, as the database function expects it. */
export function entryRow(
  entry: Omit<AuditEntry, "type">,
  { client, proof }: EntrySource = {},
): object {
  return {
    id: entry.id,
    cluster_id: entry.cluster ?? null,
    at: entry.at,
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id,
    actor_name: entry.actor.name,
    action: entry.action,
    object_kind: entry.object?.kind ?? null,
    object_namespace: entry.object?.namespace ?? null,
    object_name: entry.object?.name ?? null,
    object_uid: entry.object?.uid ?? null,
    why: entry.why,
    result: entry.result,
    before: entry.before,
    after: entry.after,
    run_id: entry.runId ?? null,
    intent_id: entry.intentId ?? null,
    client_address: client?.address ?? null,
    client_agent: client?.agent ?? null,
    ...proofColumns(proof),
  };
}

function proofColumns(proof: UserProof | undefined): object {
  if (proof === undefined) return {};
  if (proof.kind === "signInToken") return { sign_in_token: proof.token };
  return { session_id: proof.id, session_token_hash: proof.tokenHash };
}
