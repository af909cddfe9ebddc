import { z } from "zod/mini";

const FLAG_SOURCES = ["flag", "environment", "default"] as const;

export const flagSettingSchema = z.readonly(
  z.object({
    /** Without the dashes. */
    name: z.string(),
    section: z.string(),
    /** In the form of the command line; for a secret only whether it is set. */
    value: z.string(),
    initial: z.string(),
    source: z.enum(FLAG_SOURCES),
    isSecret: z.boolean(),
    help: z.string(),
    /** Why it has no effect in this version. */
    idle: z.optional(z.string()),
  }),
);
/** One flag with its value in a process. */
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
/** The flags of a controller process; sent at its start, and again when it becomes leader. */
export type SettingsRecord = z.infer<typeof settingsRecordSchema>;
