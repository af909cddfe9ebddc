import { z } from "zod/mini";
import { callPrioritySchema } from "../call-priority.ts";
import { objectRefSchema } from "../object-ref.ts";
import { controllerNameSchema } from "../run.ts";

/** Upper bounds, in milliseconds, of the durations by which calls are counted; the last count is of all longer ones. */
export const DURATION_BOUNDS_MS = [
  5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000,
] as const;

export const operationCountsSchema = z.readonly(
  z.object({
    /** `GET /v1/instances`, `PATCH nodes/status`. */
    operation: z.string(),
    calls: z.number(),
    /** Answered 429. */
    throttled: z.number(),
    /** Failed in another way, including without an answer. */
    failed: z.number(),
    /** Calls that repeat a failed one. */
    retries: z.number(),
    /** Calls that waited for a limit of ours; their total wait, and the longest. */
    waited: z.number(),
    waitMs: z.number(),
    longestWaitMs: z.number(),
    /** How many calls took how long, without that wait, by `DURATION_BOUNDS_MS`; trailing zeros are omitted. */
    durations: z.readonly(z.array(z.number())),
  }),
);
/** The calls of one operation in a period. */
export type OperationCounts = z.infer<typeof operationCountsSchema>;

const apiUseSchema = z.object({
  /** The lowest limit in the minute, in calls; absent without a limit. */
  limitPerMinute: z.optional(z.number()),
  /** The most called first. */
  operations: z.readonly(z.array(operationCountsSchema)),
});
/** The use of an API in a period. */
export type ApiUse = Readonly<z.infer<typeof apiUseSchema>>;

export const priorityWaitsSchema = z.readonly(
  z.object({
    priority: callPrioritySchema,
    calls: z.number(),
    /** How many of them waited for their turn. */
    waited: z.number(),
    waitMs: z.number(),
    longestWaitMs: z.number(),
    /** Calls that were not made because their turn could not come in time; their callers come back. */
    putOff: z.number(),
  }),
);
/** The waits of calls of one priority for the cloud's budget. */
export type PriorityWaits = z.infer<typeof priorityWaitsSchema>;

export const lookupCountsSchema = z.readonly(
  z.object({
    /** `look up instance`. */
    what: z.string(),
    asked: z.number(),
    /** Answered from what was already known. */
    withoutCall: z.number(),
    /** Answered by a call that also served others. */
    shared: z.number(),
  }),
);
/** How lookups in the cloud were answered. */
export type LookupCounts = z.infer<typeof lookupCountsSchema>;

export const controllerUseSchema = z.readonly(
  z.object({
    controller: controllerNameSchema,
    /** Runs that made a call or reported something new. */
    runs: z.number(),
    failed: z.number(),
    /** A call that several runs share counts proportionally. */
    cloudCalls: z.number(),
    kubeCalls: z.number(),
    /** The periodic runs among them, and their calls to the cloud. */
    periodRuns: z.number(),
    periodCloudCalls: z.number(),
  }),
);
/** The cost of one controller's runs. */
export type ControllerUse = z.infer<typeof controllerUseSchema>;

export const pendingRequestSchema = z.readonly(
  z.object({
    controller: controllerNameSchema,
    object: objectRefSchema,
    runId: z.string(),
    at: z.number(),
    waitMs: z.number(),
  }),
);
/** A run whose calls waited for the cloud's budget, and for how long. */
export type PendingRequest = z.infer<typeof pendingRequestSchema>;

export const budgetMinuteSchema = z.readonly(
  z.object({
    type: z.literal("budget"),
    cluster: z.string(),
    instance: z.string(),
    provider: z.string(),
    dryRun: z.boolean(),
    /** The minute's start, in milliseconds since the epoch. */
    at: z.number(),
    /** How much of the minute this instance led. */
    coveredMs: z.number(),
    cloud: z.readonly(
      z.extend(apiUseSchema, {
        priorities: z.readonly(z.array(priorityWaitsSchema)),
        lookups: z.readonly(z.array(lookupCountsSchema)),
      }),
    ),
    kube: z.readonly(apiUseSchema),
    controllers: z.readonly(z.array(controllerUseSchema)),
    /** The runs that waited longest. */
    waiters: z.readonly(z.array(pendingRequestSchema)),
  }),
);
/** What a leader requested from the cloud and the Kubernetes API in a minute. */
export type BudgetMinute = z.infer<typeof budgetMinuteSchema>;
