import { z } from "zod";
import { controllerNameSchema } from "../run.ts";

export const presenceSchema = z
  .object({
    type: z.literal("presence"),
    cluster: z.string(),
    controller: controllerNameSchema,
    kind: z.string(),
    at: z.number(),
    /** As states name them. */
    names: z.array(z.string()).readonly(),
    dryRun: z.literal(true).optional(),
  })
  .readonly();
/**
 * All objects of a kind that a controller finds when it begins to work: what it reported before and does not find went
 * while nobody looked.
 */
export type Presence = z.infer<typeof presenceSchema>;
