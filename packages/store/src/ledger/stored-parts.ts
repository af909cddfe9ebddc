import { objectStateSchema } from "@cloudwright/core/model/node-record";
import { controllerNameSchema } from "@cloudwright/core/model/run";
import { z } from "zod";

const PART_MEMBERS = {
  controller: true,
  at: true,
  state: true,
  reason: true,
  since: true,
  nextAt: true,
  failures: true,
  drift: true,
  runId: true,
  outcome: true,
  detail: true,
} as const;

/**
 * What one controller last said of an object, without the facts that the row keeps in columns of their own. Several
 * controllers tell of a Node, so there each part has its detail; elsewhere the row has it.
 */
export const storedPartSchema = objectStateSchema
  .unwrap()
  .pick(PART_MEMBERS)
  .extend({
    /** Of one that is held: what was wrong with it when the hold began. */
    underneath: objectStateSchema
      .unwrap()
      .pick({ state: true, reason: true, since: true })
      .optional(),
  });
export type StoredPart = Readonly<z.infer<typeof storedPartSchema>>;

export const storedPartsSchema = z.partialRecord(controllerNameSchema, storedPartSchema);
export type StoredParts = Readonly<z.infer<typeof storedPartsSchema>>;
