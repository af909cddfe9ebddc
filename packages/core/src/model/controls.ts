import { z } from "zod/mini";
import { controllerNameSchema } from "./run.ts";

export const pauseSchema = z.readonly(
  z.object({
    controller: controllerNameSchema,
    by: z.string(),
    why: z.string(),
    /** Milliseconds since the epoch, as all times here. */
    at: z.number(),
    /** It lifts by itself then. */
    until: z.number(),
    intentId: z.string(),
  }),
);
/** A controller takes no keys until then. */
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
/** An admin's leave to delete these very nodes beyond the limit. */
export type GuardRelease = z.infer<typeof guardReleaseSchema>;

const guardStatusSchema = z.readonly(
  z.object({
    /** Most deletions in the window: the larger of the flag's number and its share of the nodes at the window's start. */
    limit: z.number(),
    windowMs: z.number(),
    /** Nodes deleted in the window, the released ones not counted. */
    deleted: z.number(),
    /** Absent while no window is open. */
    windowEndsAt: z.optional(z.number()),
    /** Nodes whose deletion waits for an admin, longest first, with why we would delete them. */
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
    /** How many wait, where more do than are listed. */
    heldCount: z.optional(z.number()),
  }),
);
/** How the deletion guard stands (DESIGN.md "Deletion guard"). */
export type GuardStatus = z.infer<typeof guardStatusSchema>;

/** How many deletions wait for an admin, also those that the status does not list. */
export function heldCount({ held, heldCount }: GuardStatus): number {
  return heldCount ?? held.length;
}

export const settingOverrideSchema = z.readonly(
  z.object({
    /** The flag's name. One that this release does not know is of a newer one. */
    setting: z.string(),
    /** As a flag's text. */
    value: z.string(),
    by: z.string(),
    why: z.string(),
    at: z.number(),
    intentId: z.string(),
  }),
);
/** What a user has set while controllers ran; it holds in the place of the flag's value. */
export type SettingOverride = z.infer<typeof settingOverrideSchema>;

const settingStatusSchema = z.readonly(
  z.object({
    setting: z.string(),
    /** What the leader's flag says, as a text. */
    flag: z.string(),
    /** What a user has set; absent where the flag's value holds. */
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
/** A setting that can be changed on the leader, and whether it was. */
export type SettingStatus = z.infer<typeof settingStatusSchema>;

export const controlsStatusSchema = z.readonly(
  z.object({
    /** Why pauses and releases cannot be kept, as a sentence; absent when they can. */
    unavailable: z.optional(z.string()),
    pauses: z.readonly(z.array(pauseSchema)),
    /** Absent while the guard is off. */
    guard: z.optional(guardStatusSchema),
    /** Those that take effect on this leader. Absent: it is of a release that takes none while it runs. */
    settings: z.optional(z.readonly(z.array(settingStatusSchema))),
  }),
);
/** What the leader reports of its control record with each heartbeat. */
export type ControlsStatus = z.infer<typeof controlsStatusSchema>;
