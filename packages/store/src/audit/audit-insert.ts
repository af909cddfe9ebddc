import { randomUUID } from "node:crypto";
import type { AuditEntry } from "@cloudwright/core/model/audit/audit";
import type { Client } from "../operations/client.ts";
import { addEntry, type EntryClient } from "../sql/statements.ts";
import type { UserProof } from "../users/session-proof.ts";

/** Without a client where no request has asked for it. */
export type NewAuditEntry = Omit<AuditEntry, "type" | "id" | "at"> & EntrySource;

/**
 * Adds an audit entry to its chain in the transaction of what it records: if the one fails, so does the other. Other
 * writers of the chain wait until that transaction ends, so do it last.
 */
export async function insertAuditEntry(
  tx: EntryClient,
  { client, proof, ...entry }: NewAuditEntry,
): Promise<void> {
  const row = entryRow({ ...entry, id: randomUUID(), at: Date.now() }, { client, proof });
  await addEntry(tx, row);
}

/** Writes down that something was refused; one entry may stand for many of the same in a row (audit/refusal-log.ts). */
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
  /** Without one the dashboard's login writes no entry of a user, unless the session was verified in the same transaction. */
  readonly proof?: UserProof | undefined;
}

/** An entry by the columns' names, with `at` in milliseconds and the proof of its user, as the database's function takes it. */
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
