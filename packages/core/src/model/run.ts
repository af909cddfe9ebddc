import { z } from "zod/mini";
import { isControllerName } from "./controller-names.ts";
import { objectRefSchema } from "./object-ref.ts";
import { changeSchema, nextSchema, notTakenSchema } from "./plan.ts";
import { reasonSchema } from "./reason.ts";
import { jsonSchema } from "./values/json.ts";

export const OUTCOMES = [
  "failed",
  "timedOut",
  "interrupted",
  "blocked",
  "waiting",
  "changed",
  "unchanged",
] as const;
export const outcomeSchema = z.enum(OUTCOMES);
/** How a run ended, worst first (UX.md section 2, "last run"). */
export type Outcome = z.infer<typeof outcomeSchema>;

/** May be a name that this release does not know: one of another release, or of a third-party controller. */
export const controllerNameSchema = z
  .string()
  .check(z.refine(isControllerName, "there is no such controller"));

export const triggerSchema = z.discriminatedUnion("kind", [
  /** The object appeared or changed in the cluster. */
  z.readonly(z.object({ kind: z.literal("change"), what: z.string() })),
  /** The periodic check: refresh of facts or the lifecycle pass. */
  z.readonly(z.object({ kind: z.literal("period") })),
  /** A retry after a failure or a wait. */
  z.readonly(z.object({ kind: z.literal("retry") })),
  /** The first list after start or after gaining the lease. */
  z.readonly(z.object({ kind: z.literal("start") })),
  /** A user's intent. */
  z.readonly(z.object({ kind: z.literal("intent"), intentId: z.string(), actor: z.string() })),
]);
export type Trigger = z.infer<typeof triggerSchema>;

export const stepSchema = z.readonly(
  z.object({
    phase: z.enum(["observe", "apply"]),
    system: z.enum(["cloud", "kube"]),
    /** `GET /v1/instances`, `PATCH nodes/status`. */
    operation: z.string(),
    target: z.string(),
    /** Milliseconds since the run's start; negative if a shared lookup started before the run. */
    offsetMs: z.number(),
    durationMs: z.number(),
    /** How long the call waited for the client-side limit, as a part of the duration. */
    limiterWaitMs: z._default(z.number(), 0),
    status: z.optional(z.number()),
    requestId: z.optional(z.string()),
    /** Which attempt of this call in its run ended this way; the first is 1. */
    attempt: z._default(z.number(), 1),
    /** How many lookups shared this one call. */
    sharedBy: z._default(z.number(), 1),
    error: z.optional(z.string()),
    /** Only for failed calls: allow-listed fields, at most 4 KiB. */
    body: z.optional(jsonSchema),
  }),
);
/** One cloud or Kubernetes call of a run. */
export type Step = z.infer<typeof stepSchema>;

export const emittedEventSchema = z.readonly(
  z.object({
    type: z.enum(["Normal", "Warning"]),
    /** For example `DeletingNode`, as in `kubectl get events`. */
    reason: z.string(),
    message: z.string(),
    /** The Event's object: a claim, if the run is about its volume. */
    target: objectRefSchema,
    /** Milliseconds since the run's start. */
    offsetMs: z.number(),
  }),
);
/** A Kubernetes Event that a run handed over for sending. */
export type EmittedEvent = z.infer<typeof emittedEventSchema>;

export const runStartSchema = z.readonly(
  z.object({
    type: z.literal("run.start"),
    id: z.string(),
    cluster: z.string(),
    instance: z.string(),
    controller: controllerNameSchema,
    object: objectRefSchema,
    trigger: triggerSchema,
    attempt: z.number(),
    startedAt: z.number(),
    /** How many milliseconds the key waited in the queue after it was due. */
    queuedMs: z.number(),
    dryRun: z.boolean(),
    changes: z.readonly(z.array(changeSchema)),
    notTaken: z.readonly(z.array(notTakenSchema)),
  }),
);
/** Written before a plan's first write, so that a run is known even if the process dies during it. */
export type RunStart = z.infer<typeof runStartSchema>;

export const runEndSchema = z.readonly(
  z.object({
    ...runStartSchema.def.innerType.shape,
    type: z.literal("run.end"),
    durationMs: z.number(),
    planMs: z.number(),
    outcome: outcomeSchema,
    /** Why it ended this way; the sentence on the page. */
    reason: reasonSchema,
    next: nextSchema,
    /** How many of the changes were applied. */
    applied: z.number(),
    steps: z.readonly(z.array(stepSchema)),
    /** Absent in records of earlier releases, which did not keep them. */
    events: z.optional(z.readonly(z.array(emittedEventSchema))),
  }),
);
/** A complete run: it repeats the start, so that one record is enough for a run without writes. */
export type RunEnd = z.infer<typeof runEndSchema>;
