import { driftSchema, stateSchema } from "@cloudwright/core/model/state";
import { z } from "zod";
import {
  aspectSchema,
  count,
  entrySchema,
  fateSchema,
  fieldsSchema,
  frame,
  planPieces,
  runPieces,
  sentence,
  shortText,
  time,
} from "./frozen-pieces.ts";

/* The snapshots of earlier releases: sentences in English, whatever language the reader has. They are shown unchanged. */

const factSchema = z
  .object({ label: shortText, text: sentence.optional(), at: time.optional() })
  .readonly();

const partSchema = z
  .object({
    ...{ name: z.string().max(600), state: stateSchema, cause: sentence, advice: sentence },
    ...{ since: time, nextAt: time.optional(), failures: count },
    drift: z.optional(driftSchema),
  })
  .readonly();

const timelineSchema = z
  .object({
    ...{ step: shortText, state: z.enum(["done", "failed", "pending"]), tries: count },
    ...{ startedAt: time.optional(), endedAt: time.optional(), cause: sentence.optional() },
  })
  .readonly();

const planSchema = z
  .object({
    ...planPieces,
    changes: z
      .array(z.object({ sentence, fate: fateSchema, fields: fieldsSchema }).readonly())
      .readonly(),
    notTaken: z.array(sentence).readonly(),
  })
  .readonly();

export const englishSnapshotSchema = z
  .object({
    version: z.literal(1),
    ...frame,
    subject: z.string().max(1_000),
    state: z.optional(stateSchema),
    sentence,
    facts: z.array(factSchema).readonly(),
    parts: z.array(partSchema).readonly(),
    partsLeftOut: count,
    timeline: z.array(timelineSchema).readonly(),
    differences: z.array(aspectSchema).readonly(),
    plan: planSchema.optional(),
    runs: z
      .array(z.object({ ...runPieces, trigger: sentence, cause: sentence.optional() }).readonly())
      .readonly(),
    entries: z.array(entrySchema).readonly(),
  })
  .readonly();
export type EnglishSnapshot = z.infer<typeof englishSnapshotSchema>;
