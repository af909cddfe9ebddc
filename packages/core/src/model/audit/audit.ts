import { z } from "zod/mini";
import { objectRefSchema } from "../object-ref.ts";
import { jsonSchema } from "../values/json.ts";

/** This release's actions for changes in the cluster or control record; other controllers may write more. */
const CHANGE_ACTIONS = [
  "node.initialise",
  "node.addresses",
  "node.labels",
  "node.shutdown-taint",
  "node.delete",
  "node.hold",
  "node.release",
  "node.override",
  "node.override-end",
  "service.finalizer",
  "service.status",
  "service.condition",
  "service.hold",
  "service.release",
  "balancer.create",
  "balancer.adopt",
  "balancer.update",
  "balancer.members",
  "balancer.delete",
  "route.create",
  "route.delete",
  "node.network-condition",
  "node.pod-cidrs",
  "volume.hold",
  "volume.release",
  "volume.labels",
  "volume.grow",
  "volume.capacity",
  "claim.status",
  "controller.pause",
  "controller.resume",
  "guard.hold",
  "guard.release",
  "setting.change",
] as const;

/** The actions for requests, accounts and the audit itself. */
export const OTHER_ACTIONS = [
  "intent.request",
  "intent.approve",
  "intent.decline",
  "intent.claim",
  "intent.end",
  "account.sign-in",
  "account.sign-out",
  "account.refused",
  "account.create",
  "account.change",
  "account.disable",
  "account.password",
  "account.authenticator-add",
  "account.authenticator-remove",
  "account.session-revoke",
  "account.token-create",
  "account.token-revoke",
  "account.webhook-create",
  "account.webhook-change",
  "account.webhook-remove",
  "account.webhook-secret",
  "account.webhook-test",
  "account.view-save",
  "account.view-change",
  "account.view-remove",
  "cluster.approval",
  "account.comment-add",
  "account.comment-withdraw",
  "account.incident-share",
  "account.incident-delete",
  "audit.verify",
  "audit.export",
  "list.export",
] as const;

export const AUDIT_ACTIONS = [...CHANGE_ACTIONS, ...OTHER_ACTIONS] as const;
/** May be an action that only another release, or a third-party controller, knows. */
export const auditActionSchema = z.string();
export type KnownAuditAction = (typeof AUDIT_ACTIONS)[number];

/** `unknown`: the request was sent, and its answer was lost; it may have been carried out. */
export const AUDIT_RESULTS = ["applied", "refused", "failed", "unknown"] as const;

export const actorSchema = z.discriminatedUnion("kind", [
  z.readonly(z.object({ kind: z.literal("person"), id: z.string(), name: z.string() })),
  z.readonly(z.object({ kind: z.literal("controller"), id: z.string(), name: z.string() })),
  z.readonly(z.object({ kind: z.literal("system"), id: z.string(), name: z.string() })),
]);
export type Actor = z.infer<typeof actorSchema>;

export const auditEntrySchema = z.readonly(
  z.object({
    type: z.literal("audit"),
    id: z.string(),
    /** Absent for entries about accounts rather than a cluster. */
    cluster: z.optional(z.string()),
    at: z.number(),
    actor: actorSchema,
    action: auditActionSchema,
    object: z.optional(objectRefSchema),
    why: z.string(),
    result: z.enum(AUDIT_RESULTS),
    before: jsonSchema,
    after: jsonSchema,
    runId: z.optional(z.string()),
    intentId: z.optional(z.string()),
  }),
);
/** Who did what, to which object, why, before and after. Failed and refused attempts are entries too. */
export type AuditEntry = z.infer<typeof auditEntrySchema>;
