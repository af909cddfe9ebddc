import type { SettingOverride } from "../../model/controls.ts";
import type { SettingName } from "../../model/settings/setting-names.ts";
import {
  canonicalValue,
  problemOfValue,
  type SettingValues,
  settingOf,
} from "../../model/settings/settings.ts";

/** What users have set, as the control record keeps it. All functions here are pure. */
export type SettingsRecord = readonly SettingOverride[];

/** What a user has set; undefined where the flag's value holds. What is not a valid value does not count. */
export function overrideOf(
  settings: SettingsRecord,
  name: SettingName,
): SettingOverride | undefined {
  return settings.findLast(
    ({ setting, value }) => setting === name && problemOfValue(name, value) === undefined,
  );
}

export function withoutOverride(settings: SettingsRecord, name: SettingName): SettingsRecord {
  return settings.filter(({ setting }) => setting !== name);
}

/** The value that holds, as a text. */
export function textInForce(
  settings: SettingsRecord,
  name: SettingName,
  flags: SettingValues,
): string {
  const override = overrideOf(settings, name);
  return override === undefined ? flagText(name, flags) : canonicalValue(name, override.value);
}

/** What the flag says, as a text. */
export function flagText(name: SettingName, flags: SettingValues): string {
  return settingOf(name).kind.format(flags[name]);
}
