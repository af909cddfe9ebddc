import { z } from "zod/mini";
import { controllerNameSchema } from "../run.ts";

export const presenceSchema = z.readonly(
  z.object({
    type: z.literal("presence"),
    cluster: z.string(),
    controller: controllerNameSchema,
    kind: z.string(),
    at: z.number(),
    /** The names in the states. */
    names: z.readonly(z.array(z.string())),
    dryRun: z.optional(z.literal(true)),
  }),
);
/**
 * All objects of a kind that a controller finds when it starts to work: objects that it reported before and does not
 * find were deleted unobserved.
 */
export type Presence = z.infer<typeof presenceSchema>;
