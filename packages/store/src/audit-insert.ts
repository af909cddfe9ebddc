import { randomUUID } from "node:crypto";
import type { AuditEntry } from "@cloudwright/core/model/audit";
import type { Client } from "./client.ts";
import { Prisma } from "./generated/client.ts";

export type NewAuditEntry = Omit<AuditEntry, "type" | "id" | "at"> & {
  /** From where a person did it; undefined for what no request has asked for. */
  readonly client?: Client | undefined;
};

/** Writes an audit entry in the transaction of what it tells of: if the one fails, so does the other. */
export async function insertAuditEntry(
  tx: Prisma.TransactionClient,
  entry: NewAuditEntry,
): Promise<void> {
  await tx.auditEntry.create({
    data: {
      id: randomUUID(),
      at: new Date(),
      clusterId: entry.cluster ?? null,
      actorKind: entry.actor.kind,
      actorId: entry.actor.id,
      actorName: entry.actor.name,
      action: entry.action,
      objectKind: entry.object?.kind ?? null,
      objectNamespace: entry.object?.namespace ?? null,
      objectName: entry.object?.name ?? null,
      objectUid: entry.object?.uid ?? null,
      why: entry.why,
      result: entry.result,
      before: jsonColumn(entry.before),
      after: jsonColumn(entry.after),
      runId: entry.runId ?? null,
      intentId: entry.intentId ?? null,
    },
  });
}

function jsonColumn(value: AuditEntry["before"]): Prisma.InputJsonValue | typeof Prisma.JsonNull {
  return value === null ? Prisma.JsonNull : (value as Prisma.InputJsonValue);
}
