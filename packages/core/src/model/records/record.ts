import { z } from "zod/mini";
import { auditEntrySchema } from "../audit/audit.ts";
import { controlsStatusSchema } from "../controls.ts";
import { controllerNameSchema, runEndSchema, runStartSchema } from "../run.ts";
import { budgetMinuteSchema } from "./budget-record.ts";
import { ledgerGapSchema } from "./gap.ts";
import { objectStateSchema } from "./node-record.ts";
import { eventWatchSchema, objectEventSchema } from "./object-event.ts";
import { presenceSchema } from "./presence-record.ts";
import { serviceQuotasSchema } from "./quota-record.ts";
import { settingsRecordSchema } from "./settings-record.ts";

const IDLE_CAUSES = [
  /** `--controllers` leaves it out. */
  "notSelected",
  /** Another flag turns it off. */
  "flagOff",
  /** The provider does not offer what it needs. */
  "notOffered",
  /** This version does not include it. */
  "notBuilt",
  /** Leader migration assigns it to another manager. */
  "elsewhere",
  /** It starts once the second Lease of the leader migration is held. */
  "waitsForLease",
  /** It is about to be started. */
  "starting",
] as const;

const idleControllerSchema = z.readonly(
  z.object({
    name: controllerNameSchema,
    cause: z.enum(IDLE_CAUSES),
    /**
     * What is missing or turns it off (`routes`, `--configure-cloud-routes=false`), who runs it instead, or the Lease.
     */
    what: z.optional(z.string()),
  }),
);
/** A controller that does not run in this process, and why. */
export type IdleController = z.infer<typeof idleControllerSchema>;

export const heartbeatSchema = z.readonly(
  z.object({
    type: z.literal("heartbeat"),
    cluster: z.string(),
    clusterName: z.string(),
    provider: z.string(),
    instance: z.string(),
    version: z.string(),
    at: z.number(),
    leader: z.boolean(),
    leaseTransitions: z.optional(z.number()),
    /** How many milliseconds ago the slowest informer received an event or a bookmark. */
    watchSilentMs: z.number(),
    dryRun: z.boolean(),
    controllers: z.readonly(
      z.array(
        z.object({
          name: controllerNameSchema,
          /** The Lease under which it runs, `namespace/name`; absent if all run under one. */
          lease: z.optional(z.string()),
          /** The actions that it carries out by kind of object; absent if the model's record has them. */
          actions: z.optional(z.record(z.string(), z.readonly(z.array(z.string())))),
          queueDepth: z.number(),
          oldestMs: z.number(),
          /** When it next checks all its objects; absent if it does not do so periodically, or is not ready to. */
          nextCheckAt: z.optional(z.number()),
          lastError: z.optional(z.string()),
          /** Set while a user has paused it; `queueDepth` is then the number of waiting keys. */
          paused: z.optional(z.object({ by: z.string(), why: z.string(), until: z.number() })),
        }),
      ),
    ),
    cloud: z.optional(
      z.object({
        callsLastMinute: z.number(),
        throttledLastMinute: z.number(),
        allowedPerSecond: z.optional(z.number()),
        resumesAt: z.optional(z.number()),
        /** Since when all calls have failed; absent if the last one succeeded. */
        failingSince: z.optional(z.number()),
        /** Since when the cloud has refused every call; absent until that is longer than `--max-retry-after`. */
        closedSince: z.optional(z.number()),
        /** Sent by the leader, on a cloud that has quotas. */
        quotas: z.optional(z.readonly(z.array(serviceQuotasSchema))),
      }),
    ),
    /** Sent by the leader. */
    controls: z.optional(controlsStatusSchema),
    /**
     * The permissions that it needs and does not have, such as `patch nodes/status`; absent while none is known to be missing.
     */
    missingPermissions: z.optional(z.readonly(z.array(z.string()))),
    /** How many bytes of the spool the database has not received yet. */
    spoolBytes: z.number(),
    /** The age of the oldest record that the database has not received, in milliseconds. */
    ledgerLagMs: z.optional(z.number()),
    /** When the process was started. */
    startedAt: z.optional(z.number()),
    /** The Lease that it holds or competes for, `namespace/name`; absent without election. */
    lease: z.optional(z.string()),
    /**
     * The content of its informer caches, so that pages know of objects without reports; absent before the caches are warm.
     */
    inventory: z.optional(
      z.readonly(
        z.object({
          nodes: z.number(),
          /** How many of them have the uninitialized taint. */
          uninitialised: z.number(),
          /** How many ask for a load balancer of ours; absent if no controller here serves Services. */
          services: z.optional(z.number()),
        }),
      ),
    ),
    /** The controllers that do not run here, and why; on a standby, those that would not run if it led. */
    idle: z.optional(z.readonly(z.array(idleControllerSchema))),
    /**
     * Sent by the leader: whether it records Events of other components. Absent in reports of earlier releases, which could
     * not.
     */
    eventWatch: z.optional(eventWatchSchema),
  }),
);
/** Shows that a controller process is alive, what it leads and how it is doing. */
export type Heartbeat = z.infer<typeof heartbeatSchema>;

/** Everything that goes through the spool into the ledger, in the order in which it was written. */
export const ledgerRecordSchema = z.discriminatedUnion("type", [
  runStartSchema.def.innerType,
  runEndSchema.def.innerType,
  objectStateSchema.def.innerType,
  presenceSchema.def.innerType,
  auditEntrySchema.def.innerType,
  heartbeatSchema.def.innerType,
  ledgerGapSchema.def.innerType,
  budgetMinuteSchema.def.innerType,
  settingsRecordSchema.def.innerType,
  objectEventSchema.def.innerType,
]);
export type LedgerRecord = Readonly<z.infer<typeof ledgerRecordSchema>>;
