import { z } from "zod";
import { auditEntrySchema } from "../audit/audit.ts";
import { controlsStatusSchema } from "../controls.ts";
import { controllerNameSchema, runEndSchema, runStartSchema } from "../run.ts";
import { budgetMinuteSchema } from "./budget-record.ts";
import { ledgerGapSchema } from "./gap.ts";
import { objectStateSchema } from "./node-record.ts";
import { presenceSchema } from "./presence-record.ts";
import { serviceQuotasSchema } from "./quota-record.ts";
import { settingsRecordSchema } from "./settings-record.ts";

export const IDLE_CAUSES = [
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

export const idleControllerSchema = z
  .object({
    name: controllerNameSchema,
    cause: z.enum(IDLE_CAUSES),
    /** What is missing or turns it off: `routes`, `--configure-cloud-routes=false`; who runs it instead, or the Lease. */
    what: z.string().optional(),
  })
  .readonly();
/** A controller that does not run in this process, and why. */
export type IdleController = z.infer<typeof idleControllerSchema>;

export const heartbeatSchema = z
  .object({
    type: z.literal("heartbeat"),
    cluster: z.string(),
    clusterName: z.string(),
    provider: z.string(),
    instance: z.string(),
    version: z.string(),
    at: z.number(),
    leader: z.boolean(),
    leaseTransitions: z.number().optional(),
    /** Milliseconds since the newest watch event or bookmark of the slowest informer. */
    watchSilentMs: z.number(),
    dryRun: z.boolean(),
    controllers: z
      .array(
        z.object({
          name: controllerNameSchema,
          /** The Lease that it runs under, `namespace/name`; absent where all run under one. */
          lease: z.string().optional(),
          /** What it carries out by the kind of object; absent where the model's record says that. */
          actions: z.record(z.string(), z.array(z.string()).readonly()).optional(),
          queueDepth: z.number(),
          oldestMs: z.number(),
          lastError: z.string().optional(),
          /** While a user has paused it; `queueDepth` is then what waits. */
          paused: z.object({ by: z.string(), why: z.string(), until: z.number() }).optional(),
        }),
      )
      .readonly(),
    cloud: z
      .object({
        callsLastMinute: z.number(),
        throttledLastMinute: z.number(),
        allowedPerSecond: z.number().optional(),
        resumesAt: z.number().optional(),
        /** Since when no call was served, although some were made; absent while the last one was. */
        failingSince: z.number().optional(),
        /** Since when the cloud has refused every call; absent until that is longer than `--max-retry-after`. */
        closedSince: z.number().optional(),
        /** Of the leader, on a cloud that has them. */
        quotas: z.array(serviceQuotasSchema).readonly().optional(),
      })
      .optional(),
    /** Of the leader. */
    controls: controlsStatusSchema.optional(),
    /** What it needs of the API and is not granted, such as `patch nodes/status`; absent while nothing is known to be missing. */
    missingPermissions: z.array(z.string()).readonly().optional(),
    /** Bytes of the spool that the database has not got yet. */
    spoolBytes: z.number(),
    /** Age of the oldest record that the database has not got, milliseconds. */
    ledgerLagMs: z.number().optional(),
    /** When the process was started. */
    startedAt: z.number().optional(),
    /** The Lease that it holds or competes for, `namespace/name`; absent without election. */
    lease: z.string().optional(),
    /** What its informer caches hold, so that pages know of what has not been reported yet; absent before they are warm. */
    inventory: z
      .object({
        nodes: z.number(),
        /** Those of them with the uninitialized taint. */
        uninitialised: z.number(),
        /** Those that ask for a load balancer of ours; absent where nothing here serves Services. */
        services: z.number().optional(),
      })
      .readonly()
      .optional(),
    /** Controllers that do not run here, and why; of a standby those that would not run if it led. */
    idle: z.array(idleControllerSchema).readonly().optional(),
  })
  .readonly();
/** That a controller process lives, what it leads and how it fares. */
export type Heartbeat = z.infer<typeof heartbeatSchema>;

/** Everything that goes through the spool into the ledger, in the order it was written. */
export const ledgerRecordSchema = z.discriminatedUnion("type", [
  runStartSchema.unwrap(),
  runEndSchema.unwrap(),
  objectStateSchema.unwrap(),
  presenceSchema.unwrap(),
  auditEntrySchema.unwrap(),
  heartbeatSchema.unwrap(),
  ledgerGapSchema.unwrap(),
  budgetMinuteSchema.unwrap(),
  settingsRecordSchema.unwrap(),
]);
export type LedgerRecord = Readonly<z.infer<typeof ledgerRecordSchema>>;
