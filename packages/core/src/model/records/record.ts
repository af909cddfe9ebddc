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
  /** The leader migration gives it to another manager. */
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
    /** What is missing or turns it off: `routes`, `--configure-cloud-routes=false`; who runs it instead, or the Lease. */
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
    /** Milliseconds since the newest watch event or bookmark of the slowest informer. */
    watchSilentMs: z.number(),
    dryRun: z.boolean(),
    controllers: z.readonly(
      z.array(
        z.object({
          name: controllerNameSchema,
          /** The Lease that it runs under, `namespace/name`; absent where all run under one. */
          lease: z.optional(z.string()),
          /** What it carries out by the kind of object; absent where the model's record says that. */
          actions: z.optional(z.record(z.string(), z.readonly(z.array(z.string())))),
          queueDepth: z.number(),
          oldestMs: z.number(),
          /** When it checks all its objects next; absent where it does not do so once a period, and while it is not ready to. */
          nextCheckAt: z.optional(z.number()),
          lastError: z.optional(z.string()),
          /** While a user has paused it; `queueDepth` is then what waits. */
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
        /** Since when no call was served, although some were made; absent while the last one was. */
        failingSince: z.optional(z.number()),
        /** Since when the cloud has refused every call; absent until that is longer than `--max-retry-after`. */
        closedSince: z.optional(z.number()),
        /** Of the leader, on a cloud that has them. */
        quotas: z.optional(z.readonly(z.array(serviceQuotasSchema))),
      }),
    ),
    /** Of the leader. */
    controls: z.optional(controlsStatusSchema),
    /** What it needs of the API and is not granted, such as `patch nodes/status`; absent while nothing is known to be missing. */
    missingPermissions: z.optional(z.readonly(z.array(z.string()))),
    /** Bytes of the spool that the database has not got yet. */
    spoolBytes: z.number(),
    /** Age of the oldest record that the database has not got, milliseconds. */
    ledgerLagMs: z.optional(z.number()),
    /** When the process was started. */
    startedAt: z.optional(z.number()),
    /** The Lease that it holds or competes for, `namespace/name`; absent without election. */
    lease: z.optional(z.string()),
    /** What its informer caches hold, so that pages know of what has not been reported yet; absent before they are warm. */
    inventory: z.optional(
      z.readonly(
        z.object({
          nodes: z.number(),
          /** Those of them with the uninitialized taint. */
          uninitialised: z.number(),
          /** Those that ask for a load balancer of ours; absent where nothing here serves Services. */
          services: z.optional(z.number()),
        }),
      ),
    ),
    /** Controllers that do not run here, and why; of a standby those that would not run if it led. */
    idle: z.optional(z.readonly(z.array(idleControllerSchema))),
    /** Of the leader: whether it records Events of other components. Absent in reports of earlier releases, which could not. */
    eventWatch: z.optional(eventWatchSchema),
  }),
);
/** That a controller process lives, what it leads and how it fares. */
export type Heartbeat = z.infer<typeof heartbeatSchema>;

/** Everything that goes through the spool into the ledger, in the order it was written. */
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
