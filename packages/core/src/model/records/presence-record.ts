import { z } from "zod/mini";
import { controllerNameSchema } from "../run.ts";

export const presenceSchema = z.readonly(
  z.object({
    type: z.literal("presence"),
    cluster: z.string(),
    controller: controllerNameSchema,
    kind: z.string(),
    at: z.number(),
    /** As states name them. */
    names: z.readonly(z.array(z.string())),
    dryRun: z.optional(z.literal(true)),
  }),
);
/**
 * All objects of a kind that a controller finds when it begins to work: what it reported before and does not find went
 * while nobody looked.
 */
export type Presence = z.infer<typeof presenceSchema>;
