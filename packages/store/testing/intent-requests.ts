import { randomUUID } from "node:crypto";
import type { Role } from "@cloudwright/core/model/roles";
import type { Database } from "../src/database/database.ts";
import type { IntentContext, IntentRequest } from "../src/intents/request-intent.ts";
import { CLUSTER } from "./records.ts";

/** Whoever has this role, and is called by it. */
export function contextOf(db: Database, role: Role): IntentContext {
  return { db, actor: { id: `id-${role}`, name: role, role } };
}

/** A request for a retry of one node, which needs no plan. */
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

/** All audit entries, in the order in which they were written. */
export function auditOf({ prisma }: Database) {
  return prisma.auditEntry.findMany({ orderBy: { seq: "asc" } });
}
