import { AUDIT_RESULTS, actorSchema } from "@cloudwright/core/model/audit/audit";
import { OUTCOMES } from "@cloudwright/core/model/run";
import { z } from "zod";

/*
 * The parts that every version of an incident shares. Times are milliseconds since the epoch. Holds nothing that the pages do not show, and
 * no bodies of failed calls, which the ledger keeps for a shorter time.
 */

/** Most characters of any text. */
export const TEXT_MOST = 1_000;

export const shortText = z.string().max(300);
export const sentence = z.string().max(4_000);
export const time = z.number();
export const count = z.number();
const runOutcome = z.enum([...OUTCOMES, "running"]);
const objectSchema = z
  .object({ kind: shortText, namespace: shortText.optional(), name: z.string().max(600) })
  .readonly();

/** What an incident is about. `name` of an object includes its namespace, where it has one. */
export const aboutSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("run"), id: shortText }).readonly(),
  z.object({ kind: z.literal("object"), of: shortText, name: z.string().max(600) }).readonly(),
  /** A row of the Overview's "Needs you". */
  z.object({ kind: z.literal("problem"), id: z.string().max(1_000) }).readonly(),
]);
export type IncidentAbout = z.infer<typeof aboutSchema>;

/** When the snapshot was taken, and in which cluster. */
export const frame = {
  takenAt: time,
  cluster: z.object({ id: shortText, name: shortText, provider: shortText }).readonly(),
  /** The leader, as of its last heartbeat. */
  controller: z
    .object({ identity: shortText, version: shortText, heardAt: time })
    .readonly()
    .optional(),
  about: aboutSchema,
  object: objectSchema.optional(),
  since: time.optional(),
};

/** Desired and actual value, where they differed. */
export const aspectSchema = z
  .object({ name: shortText, desired: sentence.optional(), actual: sentence.optional() })
  .readonly();

export const fateSchema = z.enum(["applied", "not applied", "not known whether applied"]);

export const fieldsSchema = z
  .array(
    z
      .object({
        path: shortText,
        before: z.string().max(TEXT_MOST).optional(),
        after: z.string().max(TEXT_MOST).optional(),
      })
      .readonly(),
  )
  .readonly();

const callSchema = z
  .object({
    ...{ phase: shortText, system: shortText, operation: sentence, target: sentence },
    ...{ offsetMs: z.number(), durationMs: z.number(), attempt: count },
    ...{ status: z.number().optional(), requestId: shortText.optional() },
    error: sentence.optional(),
  })
  .readonly();

/** The plan of the shared run, or of the object's last one. */
export const planPieces = {
  ...{ runId: shortText, outcome: runOutcome, dryRun: z.boolean(), startedAt: time },
  durationMs: z.number().optional(),
  calls: z.array(callSchema).readonly(),
  /** The numbers of changes and calls that did not fit. */
  ...{ changesLeftOut: count, callsLeftOut: count },
};

export const runPieces = {
  ...{ id: shortText, controller: shortText, at: time, outcome: runOutcome },
  ...{ dryRun: z.boolean(), durationMs: z.number().optional() },
  ...{ changes: count, calls: count, folded: count },
};

export const entrySchema = z
  .object({
    ...{ seq: z.number(), at: time, actor: actorSchema, action: shortText, why: sentence },
    ...{ object: objectSchema.optional(), result: z.enum(AUDIT_RESULTS).or(shortText) },
  })
  .readonly();
