import { reasonSchema } from "@cloudwright/core/model/reason";
import { heartbeatSchema } from "@cloudwright/core/model/records/record";
import { STATES } from "@cloudwright/core/model/state";
import { COVERED_KINDS } from "@cloudwright/store/views/health";
import { OVERVIEW_PARTS } from "@cloudwright/store/views/overview";
import { z } from "zod";
import { named } from "./named.ts";
import { actor, object, objectCounts, time, unreadOf } from "./shared.ts";

export const loadBalancerCounts = objectCounts.extend({
  orphans: z.number(),
  orphansStuck: z.number(),
});

export const routeCounts = objectCounts.extend({
  wanted: z.number(),
  inStep: z.number(),
  stale: z.number(),
  staleStuck: z.number(),
  foreign: z.number(),
  tables: z.number(),
  tablesStuck: z.number(),
  fullest: z
    .object({ id: z.string(), name: z.string(), used: z.number(), most: z.number() })
    .optional(),
});

const coverage = z.object({
  present: z.number(),
  reported: z.number(),
  isExpected: z.boolean(),
  uninitialised: z.number().optional(),
});

const alarm = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("unknown"),
    of: z.string(),
    count: z.number(),
    total: z.number(),
    since: time,
    reason: reasonSchema,
  }),
  z.object({
    kind: z.literal("vanished"),
    count: z.number(),
    total: z.number(),
    withinMs: z.number(),
    since: time,
    removed: z.number(),
    held: z.number(),
  }),
]);

const health = named(
  "ClusterHealth",
  z.object({
    needs: z.object({
      stuck: z.record(z.string(), z.number()),
      stuckParts: z.record(z.string(), z.number()),
      held: z.number(),
    }),
    coverage: z.record(z.enum(COVERED_KINDS), coverage),
    alarms: z.array(alarm),
  }),
);

const COUNTS = {
  nodes: z.record(z.enum(STATES), z.number()),
  balancers: loadBalancerCounts,
  routes: routeCounts,
  volumes: objectCounts,
  health,
};

const instance = named(
  "ControllerInstance",
  z
    .object(heartbeatSchema.def.innerType.shape)
    .pick({
      ...{ version: true, leader: true, watchSilentMs: true, spoolBytes: true, dryRun: true },
      ...{ controllers: true, controls: true, startedAt: true, ledgerLagMs: true, lease: true },
      ...{ idle: true, missingPermissions: true, cloud: true, leaseTransitions: true },
      ...{ inventory: true, eventWatch: true },
    })
    .extend({ identity: z.string(), heardAt: time }),
);

export const cluster = named(
  "Cluster",
  z.object({
    ...COUNTS,
    id: z.string(),
    name: z.string(),
    provider: z.string(),
    lastHeardAt: time,
    leader: instance.optional(),
    instances: z.array(instance),
    runs: z.object({ all: z.number(), changed: z.number(), failed: z.number() }),
    openIntents: z.number(),
    waiting: z.record(z.string(), z.number()),
    gaps: z.array(
      z.object({
        id: z.string(),
        instance: z.string(),
        from: time,
        to: time,
        records: z.number(),
        calls: z.number(),
      }),
    ),
    serverNow: time,
  }),
);

export const problem = named(
  "ClusterProblem",
  z.object({
    id: z.string(),
    kind: z.enum(["stuck", "held"]),
    of: z.string(),
    code: z.string(),
    count: z.number(),
    since: time,
    members: z.array(
      z.object({
        name: z.string(),
        uid: z.string(),
        controller: z.string(),
        reason: reasonSchema,
        since: time,
        nextAt: time.optional(),
      }),
    ),
  }),
);

export const initTimes = z.object({ p50Ms: z.number(), p95Ms: z.number(), nodes: z.number() });

export const overview = named(
  "Overview",
  z.object({
    ...COUNTS,
    problems: z.array(problem),
    fleet: initTimes.optional(),
    minutes: z.array(
      z.object({ at: time, changed: z.number(), waiting: z.number(), failed: z.number() }),
    ),
    changes: z.array(
      z.object({
        id: z.string(),
        at: time,
        actor,
        action: z.string(),
        object: object.optional(),
        why: z.string(),
        runId: z.string().optional(),
        initMs: z.number().optional(),
      }),
    ),
    unread: unreadOf(OVERVIEW_PARTS),
  }),
);
