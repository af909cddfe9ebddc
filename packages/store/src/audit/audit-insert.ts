import { randomUUID } from "node:crypto";
import type { AuditEntry } from "@cloudwright/core/model/audit/audit";
import { addEntry, type EntryClient } from "../sql/statements.ts";
import { type EntrySource, entryRow } from "./entry-row.ts";

/** Without a client where no request has asked for it. */
export type NewAuditEntry = Omit<AuditEntry, "type" | "id" | "at"> & EntrySource;

/**
 * Adds an audit entry to its chain in the transaction of what it tells of: if the one fails, so does the other. Other
 * writers of the chain wait until that transaction ends, so do it last.
 */
export async function insertAuditEntry(
  tx: EntryClient,
  { client, proof, ...entry }: NewAuditEntry,
): Promise<void> {
  const row = entryRow({ ...entry, id: randomUUID(), at: Date.now() }, { client, proof });
  await addEntry(tx, row);
}

/** Writes down that something was refused; of many of the same in a row one entry may tell (audit/refusal-log.ts). */
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
