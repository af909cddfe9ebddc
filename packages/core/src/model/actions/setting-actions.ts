import { z } from "zod/mini";
import { t } from "../language/text.ts";
import { SETTING_NAMES, type SettingName } from "../settings/setting-names.ts";
import { defineAction } from "./define.ts";

const LONGEST_VALUE = 60;

const text = z.string().check(z.minLength(1), z.maxLength(LONGEST_VALUE));

const fields = {
  setting: z.enum(SETTING_NAMES, {
    error: "no setting of this name can be changed while controllers run",
  }),
  /** The value at the time of the request: the consequences depend on both values. */
  from: text,
  value: text,
  /** Ends a user's change: `value` is then the flag's value. */
  reset: z.optional(z.literal(true)),
};

/** A change of a setting, whatever its consequences. */
export interface SettingChange {
  readonly setting: SettingName;
  readonly from: string;
  readonly value: string;
  readonly reset?: true | undefined;
}

/** What all of them share. Their problems and consequences are in `settings/setting-change.ts`. */
const common = {
  fields,
  role: "admin",
  carriers: "named",
  needsPlan: true,
  verb: "setting.change",
  title: ({ setting, value, reset }: SettingChange) =>
    reset === true
      ? t`Set ${`--${setting}`} back to the flag, ${value}`
      : t`Set ${`--${setting}`} to ${value}`,
  button: ({ value }: SettingChange) => t`Set to ${value}`,
  done: ({ setting, value, reset }: SettingChange) =>
    reset === true
      ? t`${`--${setting}`} is ${value} now, as the flag says.`
      : t`${`--${setting}`} is ${value} now.`,
  calls: () => 0,
} as const;

const typed = ({ value }: SettingChange) => ({ what: t`the new value`, text: value });

/**
 * Changes of settings at run time. Those that cannot be undone, and those that let more nodes be deleted, are kinds of their own, as
 * confirmation and approval depend on the kind.
 */
export const SETTING_ACTIONS = [
  defineAction({
    ...common,
    kind: "set-setting",
    right: () => t`Change a setting while controllers run`,
    opener: () => t`Change…`,
  }),
  defineAction({
    ...common,
    kind: "shorten-retention",
    isDestructive: true,
    typed,
    right: () => t`Shorten how long the ledger keeps records`,
    opener: () => t`Change…`,
  }),
  defineAction({
    ...common,
    kind: "loosen-guard",
    isDestructive: true,
    // Nodes are deleted that would have waited for an admin.
    mayTakeTraffic: true,
    typed,
    right: () => t`Let the deletion guard pass more deletions`,
    opener: () => t`Change…`,
  }),
] as const;

export type SettingActionKind = (typeof SETTING_ACTIONS)[number]["kind"];
