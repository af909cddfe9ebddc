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

/** Returns what a user has set; undefined if the flag's value applies. An invalid value does not count. */
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

/** Returns the value in force, as text. */
export function textInForce(
  settings: SettingsRecord,
  name: SettingName,
  flags: SettingValues,
): string {
  const override = overrideOf(settings, name);
  return override === undefined ? flagText(name, flags) : canonicalValue(name, override.value);
}

/** Returns the flag's value, as text. */
export function flagText(name: SettingName, flags: SettingValues): string {
  return settingOf(name).kind.format(flags[name]);
}
