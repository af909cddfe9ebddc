import { AUDIT_RESULTS, actorSchema } from "@cloudwright/core/model/audit/audit";
import { OUTCOMES } from "@cloudwright/core/model/run";
import { driftSchema, stateSchema } from "@cloudwright/core/model/state";
import { z } from "zod";

/* What an incident keeps: sentences as they read then, so that no later release words them otherwise, and beside them the codes that
   pages show as chips. Times are milliseconds since the epoch. Nothing is in it that the pages do not show; of failed calls it has no
   bodies, which the ledger keeps for a shorter time. */

const SHORT = 300;
const SENTENCE = 4_000;
/** Of a value before or after a change. */
export const VALUE_MOST = 1_000;

const shortText = z.string().max(SHORT);
const sentence = z.string().max(SENTENCE);
const time = z.number();
const runOutcome = z.enum([...OUTCOMES, "running"]);
const objectSchema = z
  .object({ kind: shortText, namespace: shortText.optional(), name: z.string().max(600) })
  .readonly();

/** What of the cluster an incident is about. `name` of an object: with its namespace, where it has one. */
export const aboutSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("run"), id: shortText }).readonly(),
  z.object({ kind: z.literal("object"), of: shortText, name: z.string().max(600) }).readonly(),
  /** A row of the Overview's "Needs you". */
  z.object({ kind: z.literal("problem"), id: z.string().max(1_000) }).readonly(),
]);
export type IncidentAbout = z.infer<typeof aboutSchema>;

const factSchema = z
  .object({ label: shortText, text: sentence.optional(), at: time.optional() })
  .readonly();

/** What one controller said of the object; of a problem, each of its oldest objects. */
const partSchema = z
  .object({
    ...{ name: z.string().max(600), state: stateSchema, cause: sentence, advice: sentence },
    ...{ since: time, nextAt: time.optional(), failures: z.number() },
    drift: z.optional(driftSchema),
  })
  .readonly();

const timelineSchema = z
  .object({
    ...{ step: shortText, state: z.enum(["done", "failed", "pending"]), tries: z.number() },
    ...{ startedAt: time.optional(), endedAt: time.optional(), cause: sentence.optional() },
  })
  .readonly();

const aspectSchema = z
  .object({ name: shortText, desired: sentence.optional(), actual: sentence.optional() })
  .readonly();

const changeSchema = z
  .object({
    ...{ sentence, fate: z.enum(["applied", "not applied", "not known whether applied"]) },
    fields: z
      .array(
        z
          .object({
            path: shortText,
            before: z.string().max(VALUE_MOST).optional(),
            after: z.string().max(VALUE_MOST).optional(),
          })
          .readonly(),
      )
      .readonly(),
  })
  .readonly();

const callSchema = z
  .object({
    ...{ phase: shortText, system: shortText, operation: sentence, target: sentence },
    ...{ offsetMs: z.number(), durationMs: z.number(), attempt: z.number() },
    ...{ status: z.number().optional(), requestId: shortText.optional() },
    error: sentence.optional(),
  })
  .readonly();

/** The run that is shared, or the last one of the object. */
const planSchema = z
  .object({
    ...{ runId: shortText, outcome: runOutcome, dryRun: z.boolean(), startedAt: time },
    durationMs: z.number().optional(),
    changes: z.array(changeSchema).readonly(),
    notTaken: z.array(sentence).readonly(),
    calls: z.array(callSchema).readonly(),
    /** Those that found no room. */
    ...{ changesLeftOut: z.number(), callsLeftOut: z.number() },
  })
  .readonly();

const runSchema = z
  .object({
    ...{ id: shortText, controller: shortText, at: time, trigger: sentence, outcome: runOutcome },
    ...{ dryRun: z.boolean(), durationMs: z.number().optional(), cause: sentence.optional() },
    ...{ changes: z.number(), calls: z.number(), folded: z.number() },
  })
  .readonly();

const entrySchema = z
  .object({
    ...{ seq: z.number(), at: time, actor: actorSchema, action: shortText, why: sentence },
    ...{ object: objectSchema.optional(), result: z.enum(AUDIT_RESULTS).or(shortText) },
  })
  .readonly();

export const snapshotSchema = z
  .object({
    /** Another shape gets another number, and readers keep the earlier ones. */
    version: z.literal(1),
    takenAt: time,
    cluster: z.object({ id: shortText, name: shortText, provider: shortText }).readonly(),
    /** The leader, as it was last heard. */
    controller: z
      .object({ identity: shortText, version: shortText, heardAt: time })
      .readonly()
      .optional(),
    about: aboutSchema,
    object: objectSchema.optional(),
    subject: z.string().max(1_000),
    state: z.optional(stateSchema),
    since: time.optional(),
    sentence,
    facts: z.array(factSchema).readonly(),
    parts: z.array(partSchema).readonly(),
    /** How many more there were. */
    partsLeftOut: z.number(),
    timeline: z.array(timelineSchema).readonly(),
    /** Desired beside actual, where they differed. */
    differences: z.array(aspectSchema).readonly(),
    plan: planSchema.optional(),
    runs: z.array(runSchema).readonly(),
    entries: z.array(entrySchema).readonly(),
  })
  .readonly();
export type IncidentSnapshot = z.infer<typeof snapshotSchema>;
