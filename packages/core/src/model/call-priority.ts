import { z } from "zod/mini";

/** Most urgent first: a user's retry, new objects, deletions, the periodic refresh (DESIGN.md "Budget"). */
export const CALL_PRIORITIES = ["person", "new", "deletion", "refresh"] as const;
export const callPrioritySchema = z.enum(CALL_PRIORITIES);
export type CallPriority = z.infer<typeof callPrioritySchema>;
