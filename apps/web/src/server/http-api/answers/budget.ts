import {
  controllerUseSchema,
  lookupCountsSchema,
  operationCountsSchema,
  pendingRequestSchema,
  priorityWaitsSchema,
} from "@cloudwright/core/model/records/budget-record";
import { BUDGET_PARTS, BUDGET_RANGES } from "@cloudwright/store/views/budget";
import { z } from "zod";
import { named } from "./named.ts";
import { time, unreadOf } from "./shared.ts";

const bucket = named(
  "BudgetBucket",
  z.object({
    at: time,
    until: time,
    use: z
      .object({
        calls: z.number(),
        throttled: z.number(),
        callsPerMinute: z.number(),
        limitPerMinute: z.number().optional(),
        share: z.number().optional(),
      })
      .optional()
      .meta({ description: "Absent when there is no record of it." }),
  }),
);

const api = z.object({
  buckets: z.array(bucket),
  operations: z.array(
    z
      .object(operationCountsSchema.def.innerType.shape)
      .omit({ durations: true })
      .extend({ p95Ms: z.number().optional() }),
  ),
});

export const budget = named(
  "Budget",
  z.object({
    range: z.enum(BUDGET_RANGES),
    from: time,
    to: time,
    bucketMs: z.number(),
    minutesKnown: z.number(),
    isDryRun: z.boolean(),
    cloud: api.extend({
      priorities: z.array(priorityWaitsSchema),
      lookups: z.array(lookupCountsSchema),
    }),
    kube: api,
    controllers: z.array(controllerUseSchema),
    resync: z.array(z.object({ controller: z.string(), objects: z.number(), calls: z.number() })),
    waiters: z.array(pendingRequestSchema),
    deferred: z.object({
      count: z.number(),
      oldest: z.array(z.object({ kind: z.string(), name: z.string(), nextAt: time.optional() })),
    }),
    unread: unreadOf(BUDGET_PARTS),
  }),
);
