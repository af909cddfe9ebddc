import { z } from "zod/mini";

const FLAG_SOURCES = ["flag", "environment", "default"] as const;

export const flagSettingSchema = z.readonly(
  z.object({
    /** Without its dashes. */
    name: z.string(),
    section: z.string(),
    /** As a user would write it; of a secret only whether it is set. */
    value: z.string(),
    initial: z.string(),
    source: z.enum(FLAG_SOURCES),
    isSecret: z.boolean(),
    help: z.string(),
    /** Why it changes nothing in this version. */
    idle: z.optional(z.string()),
  }),
);
/** One flag as a process runs with it. */
export type FlagSetting = z.infer<typeof flagSettingSchema>;

export const settingsRecordSchema = z.readonly(
  z.object({
    type: z.literal("settings"),
    cluster: z.string(),
    instance: z.string(),
    at: z.number(),
    flags: z.readonly(z.array(flagSettingSchema)),
  }),
);
/** What a controller process was started with; sent at its start, and again when it begins to lead. */
export type SettingsRecord = z.infer<typeof settingsRecordSchema>;
