import type { SettingStatus } from "@cloudwright/core/model/controls";
import { t, worded } from "@cloudwright/core/model/language/text";
import type { Setting } from "@cloudwright/core/model/settings/define";
import { SETTING_NAMES, type SettingName } from "@cloudwright/core/model/settings/setting-names";
import { settingOf } from "@cloudwright/core/model/settings/settings";
import { type Field, field, timeField } from "../../components/table/field.ts";

export type SettingPart = Setting<unknown>["part"];

/** The topics of the settings, in the page's order. */
export const SETTING_PARTS: readonly SettingPart[] = ["guard", "periods", "audit", "retention"];
export const PART_LABELS: Readonly<Record<SettingPart, string>> = worded({
  guard: () => t`Deletion guard`,
  periods: () => t`Periods`,
  audit: () => t`Audit`,
  retention: () => t`Retention`,
});

export interface SettingRow {
  readonly name: SettingName;
  readonly status: SettingStatus;
}

/** Returns a topic's settings that this release knows, in its order: a newer leader may report more. */
export function settingsOfPart(
  settings: readonly SettingStatus[],
  part: SettingPart,
): readonly SettingRow[] {
  return SETTING_NAMES.filter((name) => settingOf(name).part === part).flatMap((name) => {
    const status = settings.find(({ setting }) => setting === name);
    return status === undefined ? [] : [{ name, status }];
  });
}

export function settingRows(settings: readonly SettingStatus[]): readonly SettingRow[] {
  return SETTING_PARTS.flatMap((part) => settingsOfPart(settings, part));
}

/** The fields of the export of settings that can be changed while controllers run. */
export const SETTING_FIELDS: readonly Field<SettingRow>[] = [
  field("part", "Part", ({ name }) => PART_LABELS[settingOf(name).part]),
  field("setting", "Setting", ({ name }) => `--${name}`),
  field("label", "Label", ({ name }) => settingOf(name).label),
  field("value", "Value", ({ status }) => status.override?.value ?? status.flag),
  field("flag", "Value of the flag", ({ status }) => status.flag),
  field("by", "Set by", ({ status }) => status.override?.by),
  timeField("at", "Set", ({ status }) => status.override?.at),
  field("why", "Reason", ({ status }) => status.override?.why),
  field("action", "Action id", ({ status }) => status.override?.intentId),
];
