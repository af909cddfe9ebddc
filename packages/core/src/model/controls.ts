import { z } from "zod/mini";
import { controllerNameSchema } from "./run.ts";

export const pauseSchema = z.readonly(
  z.object({
    controller: controllerNameSchema,
    by: z.string(),
    why: z.string(),
    /** Milliseconds since the epoch, like all times here. */
    at: z.number(),
    /** When the pause lifts by itself. */
    until: z.number(),
    intentId: z.string(),
  }),
);
/** A controller takes no keys until this ends. */
export type Pause = z.infer<typeof pauseSchema>;

export const guardedNodeSchema = z.readonly(z.object({ name: z.string(), uid: z.string() }));
export type GuardedNode = z.infer<typeof guardedNodeSchema>;

export const guardReleaseSchema = z.readonly(
  z.object({
    nodes: z.readonly(z.array(guardedNodeSchema)),
    by: z.string(),
    why: z.string(),
    at: z.number(),
    until: z.number(),
    intentId: z.string(),
  }),
);
/** An admin's permission to delete exactly these nodes beyond the limit. */
export type GuardRelease = z.infer<typeof guardReleaseSchema>;

const guardStatusSchema = z.readonly(
  z.object({
    /**
     * The most deletions in the window: the flag's number or its share of the nodes at the window's start, whichever is
     * larger.
     */
    limit: z.number(),
    windowMs: z.number(),
    /** How many nodes were deleted in the window, without released ones. */
    deleted: z.number(),
    /** Absent while no window is open. */
    windowEndsAt: z.optional(z.number()),
    /** Nodes whose deletion waits for an admin, longest first, with the reason for the deletion. */
    held: z.readonly(
      z.array(
        z.readonly(
          z.object({
            name: z.string(),
            uid: z.string(),
            since: z.number(),
            /** The cloud's answer as a sentence. */
            because: z.string(),
          }),
        ),
      ),
    ),
    /** How many wait, if more than are listed. */
    heldCount: z.optional(z.number()),
  }),
);
/** The state of the deletion guard (DESIGN.md "Deletion guard"). */
export type GuardStatus = z.infer<typeof guardStatusSchema>;

/** Returns how many deletions wait for an admin, including those that the status does not list. */
export function heldCount({ held, heldCount }: GuardStatus): number {
  return heldCount ?? held.length;
}

export const settingOverrideSchema = z.readonly(
  z.object({
    /** The flag's name. A name that this release does not know comes from a newer one. */
    setting: z.string(),
    /** In the form of a flag's value. */
    value: z.string(),
    by: z.string(),
    why: z.string(),
    at: z.number(),
    intentId: z.string(),
  }),
);
/** A user's change of a setting at run time; it overrides the flag's value. */
export type SettingOverride = z.infer<typeof settingOverrideSchema>;

const settingStatusSchema = z.readonly(
  z.object({
    setting: z.string(),
    /** The value of the leader's flag, as text. */
    flag: z.string(),
    /** The user's change; absent if the flag's value applies. */
    override: z.optional(
      z.readonly(
        z.object({
          value: z.string(),
          by: z.string(),
          why: z.string(),
          at: z.number(),
          intentId: z.string(),
        }),
      ),
    ),
  }),
);
/** A setting that can be changed on the leader, and whether it was changed. */
export type SettingStatus = z.infer<typeof settingStatusSchema>;

export const controlsStatusSchema = z.readonly(
  z.object({
    /** A sentence about why pauses and releases cannot be kept; absent if they can. */
    unavailable: z.optional(z.string()),
    pauses: z.readonly(z.array(pauseSchema)),
    /** Absent while the guard is off. */
    guard: z.optional(guardStatusSchema),
    /**
     * The settings that take effect on this leader. Absent if its release does not support changing them at run
     * time.
     */
    settings: z.optional(z.readonly(z.array(settingStatusSchema))),
  }),
);
/** The leader's report on its control record in each heartbeat. */
export type ControlsStatus = z.infer<typeof controlsStatusSchema>;
