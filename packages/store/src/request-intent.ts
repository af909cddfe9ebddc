import type { Actor } from "@cloudwright/core/model/audit";
import {
  INTENT_LIFETIME_MS,
  INTENT_ROLE,
  type Intent,
  intentKindSchema,
} from "@cloudwright/core/model/intent";
import { objectRefSchema } from "@cloudwright/core/model/object-ref";
import { type Role, roleIncludes } from "@cloudwright/core/model/roles";
import { controllerNameSchema } from "@cloudwright/core/model/run";
import { z } from "zod";
import { insertAuditEntry, type NewAuditEntry } from "./audit-insert.ts";
import type { Database } from "./database.ts";
import { OperationError } from "./errors.ts";
import { Prisma } from "./generated/client.ts";
import { toIntent } from "./queries/intents.ts";

export interface IntentContext {
  readonly db: Database;
  readonly actor: { readonly id: string; readonly name: string; readonly role: Role };
}

export const intentRequestSchema = z.object({
  /** Chosen by the client: asking twice with the same id is asking once. */
  id: z.uuid(),
  cluster: z.string().min(1),
  kind: intentKindSchema,
  controller: controllerNameSchema,
  object: objectRefSchema,
  why: z.string().trim().min(1).max(500),
  planHash: z.string().optional(),
});
export type IntentRequest = z.infer<typeof intentRequestSchema>;

/**
 * Writes a person's wish down for the leader to claim, with its audit entry in the same transaction. Throws OperationError
 * Forbidden (with an audit entry of its own), Invalid, NotFound for an unknown cluster, and Conflict for an id that was
 * used for another wish.
 */
export async function requestIntent(context: IntentContext, input: unknown): Promise<Intent> {
  const request = parseRequest(input);
  await requireRole(context, request);
  try {
    return await insertIntent(context, request);
  } catch (error) {
    // Two requests with the same id at once: the other one was first.
    if (!isDuplicateKey(error)) throw error;
    return asBefore(context, request);
  }
}

function parseRequest(input: unknown): IntentRequest {
  const parsed = intentRequestSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.join(".") ?? "";
  throw new OperationError(
    "Invalid",
    `The request's ${where} is not valid: ${issue?.message ?? ""}.`,
  );
}

async function requireRole(context: IntentContext, request: IntentRequest): Promise<void> {
  const needed = INTENT_ROLE[request.kind];
  if (roleIncludes(context.actor.role, needed)) return;
  const refusal = `Needs role ${needed}; ${context.actor.name} is ${context.actor.role}.`;
  await insertAuditEntry(context.db.prisma, {
    ...entryOf(context, request),
    why: request.why,
    result: "refused",
    after: { kind: request.kind, refusal },
  });
  throw new OperationError("Forbidden", refusal);
}

function insertIntent(context: IntentContext, request: IntentRequest): Promise<Intent> {
  return context.db.prisma.$transaction(async (tx) => {
    const cluster = await tx.cluster.findUnique({ where: { id: request.cluster } });
    if (cluster === null) {
      throw new OperationError("NotFound", "No controller has reported this cluster.");
    }
    const now = Date.now();
    const row = await tx.intent.create({
      data: {
        id: request.id,
        clusterId: request.cluster,
        kind: request.kind,
        controller: request.controller,
        objectKind: request.object.kind,
        objectNamespace: request.object.namespace ?? null,
        objectName: request.object.name,
        objectUid: request.object.uid ?? null,
        why: request.why,
        actorId: context.actor.id,
        actorName: context.actor.name,
        state: "requested",
        requestedAt: new Date(now),
        expiresAt: new Date(now + INTENT_LIFETIME_MS[request.kind]),
        updatedAt: new Date(now),
        planHash: request.planHash ?? null,
      },
    });
    await insertAuditEntry(tx, entryOf(context, request));
    return toIntent(row);
  });
}

function entryOf(context: IntentContext, request: IntentRequest): NewAuditEntry {
  const actor: Actor = { kind: "person", id: context.actor.id, name: context.actor.name };
  return {
    cluster: request.cluster,
    actor,
    action: "intent.request",
    object: request.object,
    why: request.why,
    result: "applied",
    before: null,
    after: { kind: request.kind, controller: request.controller },
    intentId: request.id,
  };
}

async function asBefore(context: IntentContext, request: IntentRequest): Promise<Intent> {
  const row = await context.db.prisma.intent.findUnique({ where: { id: request.id } });
  const same =
    row !== null &&
    row.clusterId === request.cluster &&
    row.kind === request.kind &&
    row.objectKind === request.object.kind &&
    row.objectName === request.object.name &&
    row.actorId === context.actor.id;
  if (same) return toIntent(row);
  throw new OperationError("Conflict", "This request id was used for another action: ask again.");
}

function isDuplicateKey(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
}
