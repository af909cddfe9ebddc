import { randomUUID } from "node:crypto";
import type { AuditEntry } from "@cloudwright/core/model/audit";
import { entryRow } from "./audit/entry-row.ts";
import type { Client } from "./client.ts";
import type { Prisma } from "./generated/client.ts";
import { storableJson } from "./ledger/storable-json.ts";

export type NewAuditEntry = Omit<AuditEntry, "type" | "id" | "at"> & {
  /** From where a person did it; undefined for what no request has asked for. */
  readonly client?: Client | undefined;
};

/**
 * Adds an audit entry to its chain in the transaction of what it tells of: if the one fails, so does the other. Other
 * writers of the chain wait until that transaction ends, so do it last.
 */
export async function insertAuditEntry(
  tx: Pick<Prisma.TransactionClient, "$executeRaw">,
  { client, ...entry }: NewAuditEntry,
): Promise<void> {
  const row = entryRow({ ...entry, id: randomUUID(), at: Date.now() }, client);
  await tx.$executeRaw`SELECT cloudwright_audit(${storableJson(row)}::jsonb)`;
}
