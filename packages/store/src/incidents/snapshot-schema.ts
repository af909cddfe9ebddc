import { changeTitleSchema } from "@cloudwright/core/model/audit/change-title";
import { incidentSubjectSchema } from "@cloudwright/core/model/incident-subject";
import { notTakenSchema } from "@cloudwright/core/model/plan";
import { reasonSchema } from "@cloudwright/core/model/reason";
import { TIMELINE_STEPS } from "@cloudwright/core/model/records/node-record";
import { triggerSchema } from "@cloudwright/core/model/run";
import { driftSchema, stateSchema } from "@cloudwright/core/model/state";
import { z } from "zod";
import { englishSnapshotSchema } from "./english-snapshot.ts";
import {
  aspectSchema,
  count,
  entrySchema,
  fateSchema,
  fieldsSchema,
  frame,
  planPieces,
  runPieces,
  TEXT_MOST,
  time,
} from "./frozen-pieces.ts";

/* The content of an incident: reasons, codes and values as the ledger has them, which pages put into the reader's language. */

const text = z.string().max(TEXT_MOST);

/** The known facts about the subject. */
const factsSchema = z
  .object({
    ...{ drift: z.optional(driftSchema), providerID: text.optional() },
    ...{ createdAt: time.optional(), goneAt: time.optional(), reportedAt: time.optional() },
    /** Facts of a node. */
    ...{ ready: text.optional(), taints: z.array(text).readonly().optional() },
    ...{ kubelet: text.optional(), zone: text.optional(), instanceType: text.optional() },
    /** Facts of a run. */
    ...{ startedAt: time.optional(), attempt: count.optional(), instance: text.optional() },
    ...{ cloudCalls: count.optional(), kubeCalls: count.optional() },
  })
  .readonly();

/** The status that one controller, given by name, reported of the object; for a problem, one part per oldest object. */
const partSchema = z
  .object({
    ...{ name: z.string().max(600), state: stateSchema, reason: reasonSchema },
    ...{ since: time, nextAt: time.optional(), failures: count },
    drift: z.optional(driftSchema),
  })
  .readonly();

const timelineSchema = z
  .object({
    ...{ step: z.enum(TIMELINE_STEPS), state: z.enum(["done", "failed", "pending"]) },
    ...{ tries: count, startedAt: time.optional(), endedAt: time.optional() },
    reason: z.optional(reasonSchema),
  })
  .readonly();

const changeSchema = z
  .object({
    ...{ title: changeTitleSchema, reason: reasonSchema },
    ...{ fate: fateSchema, fields: fieldsSchema },
  })
  .readonly();

const planSchema = z
  .object({
    ...planPieces,
    changes: z.array(changeSchema).readonly(),
    notTaken: z.array(notTakenSchema).readonly(),
  })
  .readonly();

const runSchema = z
  .object({ ...runPieces, trigger: triggerSchema, reason: z.optional(reasonSchema) })
  .readonly();

/** An entry with the reason of its change, if the ledger knew it then: `why` says it in English. */
const reasonedEntrySchema = entrySchema
  .unwrap()
  .extend({ reason: z.optional(reasonSchema) })
  .readonly();

export const snapshotSchema = z
  .object({
    /** A changed shape gets a new number, and readers keep the earlier ones. */
    version: z.literal(2),
    ...frame,
    subject: incidentSubjectSchema,
    state: z.optional(stateSchema),
    /** Absent for a run that had not ended. */
    reason: z.optional(reasonSchema),
    nextAt: time.optional(),
    facts: factsSchema,
    parts: z.array(partSchema).readonly(),
    /** How many more parts there were. */
    partsLeftOut: count,
    timeline: z.array(timelineSchema).readonly(),
    differences: z.array(aspectSchema).readonly(),
    plan: planSchema.optional(),
    runs: z.array(runSchema).readonly(),
    entries: z.array(reasonedEntrySchema).readonly(),
  })
  .readonly();
export type IncidentSnapshot = z.infer<typeof snapshotSchema>;

/** A snapshot as any release stored it. */
export const keptSnapshotSchema = z.discriminatedUnion("version", [
  snapshotSchema,
  englishSnapshotSchema,
]);
export type KeptSnapshot = z.infer<typeof keptSnapshotSchema>;
