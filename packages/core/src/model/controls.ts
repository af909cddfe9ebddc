import { z } from "zod";
import { controllerNameSchema } from "./run.ts";

export const pauseSchema = z
  .object({
    controller: controllerNameSchema,
    by: z.string(),
    why: z.string(),
    /** Milliseconds since the epoch, as all times here. */
    at: z.number(),
    /** It lifts by itself then. */
    until: z.number(),
    intentId: z.string(),
  })
  .readonly();
/** A controller takes no keys until then. */
export type Pause = z.infer<typeof pauseSchema>;

export const guardedNodeSchema = z.object({ name: z.string(), uid: z.string() }).readonly();
export type GuardedNode = z.infer<typeof guardedNodeSchema>;

export const guardReleaseSchema = z
  .object({
    nodes: z.array(guardedNodeSchema).readonly(),
    by: z.string(),
    why: z.string(),
    at: z.number(),
    until: z.number(),
    intentId: z.string(),
  })
  .readonly();
/** An admin's leave to delete these very nodes beyond the limit. */
export type GuardRelease = z.infer<typeof guardReleaseSchema>;

export const guardStatusSchema = z
  .object({
    /** Most deletions in the window: the larger of the flag's number and its share of the nodes at the window's start. */
    limit: z.number(),
    windowMs: z.number(),
    /** Nodes deleted in the window, the released ones not counted. */
    deleted: z.number(),
    /** Absent while no window is open. */
    windowEndsAt: z.number().optional(),
    /** Nodes whose deletion waits for an admin, longest first, with why we would delete them. */
    held: z
      .array(
        z
          .object({
            name: z.string(),
            uid: z.string(),
            since: z.number(),
            /** The cloud's answer as a sentence. */
            because: z.string(),
          })
          .readonly(),
      )
      .readonly(),
    /** How many wait, where more do than are listed. */
    heldCount: z.number().optional(),
  })
  .readonly();
/** How the deletion guard stands (DESIGN.md "Deletion guard"). */
export type GuardStatus = z.infer<typeof guardStatusSchema>;

/** How many deletions wait for an admin, also those that the status does not list. */
export function heldCount({ held, heldCount }: GuardStatus): number {
  return heldCount ?? held.length;
}

export const controlsStatusSchema = z
  .object({
    /** Why pauses and releases cannot be kept, as a sentence; absent when they can. */
    unavailable: z.string().optional(),
    pauses: z.array(pauseSchema).readonly(),
    /** Absent with `--node-deletion-guard=off`. */
    guard: guardStatusSchema.optional(),
  })
  .readonly();
/** What the leader reports of its control record with each heartbeat. */
export type ControlsStatus = z.infer<typeof controlsStatusSchema>;
