import { randomUUID } from "node:crypto";
import type { Role } from "@cloudwright/core/model/roles";
import type { Database } from "../src/database/database.ts";
import type { IntentContext, IntentRequest } from "../src/intents/request-intent.ts";
import { CLUSTER } from "./records.ts";

/** Returns the context of a user with this role, who is named after it. */
export function contextOf(db: Database, role: Role): IntentContext {
  return { db, actor: { id: `id-${role}`, name: role, role } };
}

/** Returns a request to retry one node, which needs no plan. */
export function retryOf(over: Partial<IntentRequest> = {}): IntentRequest {
  return {
    id: randomUUID(),
    cluster: CLUSTER,
    kind: "retry",
    controller: "cloud-node-controller",
    object: { kind: "Node", name: "w-1" },
    why: "The quota was raised",
    ...over,
  };
}

/** Returns all audit entries in the order in which they were written. */
export function auditOf({ prisma }: Database) {
  return prisma.auditEntry.findMany({ orderBy: { seq: "asc" } });
}
