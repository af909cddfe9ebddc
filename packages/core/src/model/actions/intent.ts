import { z } from "zod/mini";
import type { ControllerName } from "../controller-names.ts";
import { objectRefSchema } from "../object-ref.ts";
import { changeSchema, nextSchema, notTakenSchema } from "../plan.ts";
import { reasonSchema } from "../reason.ts";
import type { Role } from "../roles.ts";
import { controllerNameSchema } from "../run.ts";
import { jsonSchema } from "../values/json.ts";
import { ACTION_KINDS, actionOf, actionSchema, namedLoops } from "./action.ts";

export const INTENT_KINDS = ["preview", ...ACTION_KINDS] as const;
export const intentKindSchema = z.enum(INTENT_KINDS);
export type IntentKind = z.infer<typeof intentKindSchema>;

export const INTENT_STATES = [
  "awaiting-approval",
  "requested",
  "claimed",
  "running",
  "verified",
  "failed",
  "rejected",
  "expired",
  "cancelled",
] as const;
export const intentStateSchema = z.enum(INTENT_STATES);
export type IntentState = z.infer<typeof intentStateSchema>;

/** Returns the lowest role that may request it (DESIGN.md "Roles"). */
export function roleFor(kind: IntentKind): Role {
  return kind === "preview" ? "viewer" : actionOf(kind).role;
}

/** The most intents in one batch: as many plans as a user can read before confirming them. */
export const BATCH_MOST = 100;

/** Returns how long after its request an intent is still acted on. */
export function lifetimeMs(kind: IntentKind): number {
  return kind === "preview" ? 30_000 : 600_000;
}

/** How long it waits for another user's approval. Its own lifetime starts with the approval. */
export const APPROVAL_MS = 3_600_000;

/** Another user's approval or refusal. */
const decisionSchema = z.readonly(z.object({ by: z.string(), why: z.string(), at: z.number() }));

const planSchema = z.object({
  changes: z.array(changeSchema),
  notTaken: z.array(notTakenSchema),
  next: nextSchema,
  /** Why the last run failed: the same cause may make this plan fail again. */
  lastFailure: z.optional(reasonSchema),
});

/** What one of several loops would do. */
const loopPreviewSchema = z.readonly(
  z.object({
    controller: controllerNameSchema,
    plan: z.optional(z.readonly(planSchema)),
    /** A sentence about why it would not do it, or cannot say, and the sentence's reason. */
    problem: z.optional(z.string()),
    reason: z.optional(reasonSchema),
  }),
);
export type LoopPreview = z.infer<typeof loopPreviewSchema>;

/** How far one of several loops has come with an intent. */
const loopProgressSchema = z.readonly(
  z.object({
    controller: controllerNameSchema,
    state: z.enum(["requested", "running", "verified", "failed", "rejected"]),
    /** The result as a sentence, and the sentence's reason. */
    result: z.optional(z.string()),
    reason: z.optional(reasonSchema),
    runId: z.optional(z.string()),
  }),
);
export type LoopProgress = z.infer<typeof loopProgressSchema>;

export const intentSchema = z.readonly(
  z.object({
    id: z.string(),
    cluster: z.string(),
    kind: intentKindSchema,
    /** The requested action; in a preview, the action whose plan is requested. */
    action: z._default(actionSchema, { kind: "retry" }),
    controller: controllerNameSchema,
    object: objectRefSchema,
    why: z.string(),
    actor: z.string(),
    state: intentStateSchema,
    requestedAt: z.number(),
    expiresAt: z.number(),
    /** The hash of the plan that was shown to the user; absent if none was shown. */
    planHash: z.optional(z.string()),
    /** Another user's decision, if the action waited for one. */
    decision: z.optional(decisionSchema),
    /** The leader that works on it: its identity and the lease's transition count. */
    claimedBy: z.optional(z.string()),
    claimedTransition: z.optional(z.number()),
    runIds: z._default(z.array(z.string()), []),
    /** The result, as a sentence. */
    result: z.optional(z.string()),
    /** A preview's answer; in another intent that was rejected because the plan had changed, the current plan. */
    preview: z.optional(
      z.extend(planSchema, {
        planHash: z.string(),
        /** For a retry of several loops: what each would do. The fields above combine them. */
        loops: z.optional(z.readonly(z.array(loopPreviewSchema))),
      }),
    ),
    /** For a retry of several loops: how far each has come. */
    loops: z.optional(z.readonly(z.array(loopProgressSchema))),
    /** An id that all intents of one batch share. */
    batch: z.optional(z.string()),
    /** The reason that the result renders, as `resultEvidenceSchema` reads it. */
    evidence: z.optional(jsonSchema),
  }),
);
/** A user's action, as a row that the leader claims, carries out and reports on (DESIGN.md "Processes"). */
export type Intent = z.infer<typeof intentSchema>;

export const unreadableIntentSchema = z.readonly(
  z.object({
    unreadable: z.literal(true),
    ...{ id: z.string(), cluster: z.string(), object: objectRefSchema },
    ...{ why: z.string(), actor: z.string(), requestedAt: z.number(), expiresAt: z.number() },
    ...{ batch: z.optional(z.string()), result: z.optional(z.string()) },
    /** As in the row, which may have values that this release does not know. */
    kind: z.string(),
    controller: z.string(),
    state: z.string(),
  }),
);
/** What is known of an intent that this release cannot read because a newer one wrote it or its row is damaged. */
export type UnreadableIntent = z.infer<typeof unreadableIntentSchema>;

export const listedIntentSchema = z.union([unreadableIntentSchema, intentSchema]);
/** An entry of an intent list, which may be one that cannot be read. */
export type ListedIntent = z.infer<typeof listedIntentSchema>;

export function isReadable<Listed extends ListedIntent>(
  intent: Listed,
): intent is Exclude<Listed, { readonly unreadable: true }> {
  return !("unreadable" in intent);
}

/** Returns whose loops an intent addresses. */
export function controllersOf({
  action,
  controller,
}: Pick<Intent, "action" | "controller">): readonly ControllerName[] {
  return namedLoops(action) ?? [controller];
}

const FINAL: ReadonlySet<IntentState> = new Set([
  "verified",
  "failed",
  "rejected",
  "expired",
  "cancelled",
]);

export function isFinal(state: IntentState): boolean {
  return FINAL.has(state);
}

const ALLOWED: Record<IntentState, readonly IntentState[]> = {
  "awaiting-approval": ["requested", "expired", "cancelled", "rejected"],
  requested: ["claimed", "expired", "cancelled", "rejected"],
  claimed: ["claimed", "running", "failed", "rejected", "expired"],
  running: ["claimed", "running", "verified", "failed", "rejected"],
  verified: [],
  failed: [],
  rejected: [],
  expired: [],
  cancelled: [],
};

/**
 * Reports whether an intent may go from one state to another; a new leader may claim again what another had
 * claimed.
 */
export function mayBecome(from: IntentState, to: IntentState): boolean {
  return ALLOWED[from].includes(to);
}
