import type { SettingOverride, SettingStatus } from "../../model/controls.ts";
import { LEADER } from "../../model/settings/define.ts";
import { SETTING_NAMES, type SettingName } from "../../model/settings/setting-names.ts";
import { type SettingValue, type SettingValues, settingOf } from "../../model/settings/settings.ts";
import type { LiveValue } from "../../model/values/live-value.ts";
import type { ControlStore } from "./control-store.ts";
import { flagText, overrideOf, textInForce } from "./settings-record.ts";

/** The settings in force: what a user has set, otherwise the flag's value. */
export interface LiveSettings {
  of<Name extends SettingName>(name: Name): LiveValue<SettingValue<Name>>;
}

export interface SettingsKeeperOptions {
  readonly store: Pick<ControlStore, "record">;
  readonly flags: SettingValues;
  /** The controllers that run in this process. Settings of other controllers have no effect here. */
  readonly controllers: ReadonlySet<string>;
  /** Called with each new value, including those that an earlier leader has left. */
  onSetting(change: SettingNotice): void;
}

/** Reports that the value of a setting has changed. */
export interface SettingNotice {
  readonly setting: SettingName;
  readonly from: string;
  readonly value: string;
  /** Undefined if the flag's value applies again. */
  readonly override: SettingOverride | undefined;
}

export interface SettingsKeeper extends LiveSettings {
  /** The settings that take effect here. */
  status(): readonly SettingStatus[];
  /** Must be called when the record has changed, and periodically. */
  review(): void;
}

/** Notifies the readers of a setting when its value changes. */
export function createSettingsKeeper(options: SettingsKeeperOptions): SettingsKeeper {
  const { store, flags, controllers, onSetting } = options;
  const inForce = new Map(SETTING_NAMES.map((name) => [name, flagText(name, flags)]));
  const callbacks = new Map(SETTING_NAMES.map((name) => [name, new Set<() => void>()]));

  /** Sets all new values before it notifies any reader. */
  function review(): void {
    const { settings } = store.record;
    const news = SETTING_NAMES.flatMap((setting) => {
      const value = textInForce(settings, setting, flags);
      const from = inForce.get(setting) ?? value;
      if (value === from) return [];
      inForce.set(setting, value);
      return [{ setting, from, value, override: overrideOf(settings, setting) }];
    });
    for (const change of news) {
      onSetting(change);
      for (const callback of callbacks.get(change.setting) ?? []) callback();
    }
  }

  function currentValue<Name extends SettingName>(name: Name): SettingValue<Name> {
    const text = inForce.get(name) ?? flagText(name, flags);
    if (text === flagText(name, flags)) return flags[name];
    return settingOf(name).kind.read(text)?.value as SettingValue<Name>;
  }

  return {
    of: (name) => ({
      get value() {
        return currentValue(name);
      },
      onChange: (callback) => {
        callbacks.get(name)?.add(callback);
        return () => void callbacks.get(name)?.delete(callback);
      },
    }),
    status: () =>
      SETTING_NAMES.filter((name) => takesEffect(name, controllers)).map((name) => ({
        setting: name,
        flag: flagText(name, flags),
        ...shownOverride(overrideOf(store.record.settings, name)),
      })),
    review,
  };
}

/** Reports whether anything in this process reads the setting. */
export function takesEffect(name: SettingName, controllers: ReadonlySet<string>): boolean {
  const { controller } = settingOf(name);
  return controller === LEADER || controllers.has(controller);
}

function shownOverride(override: SettingOverride | undefined): Pick<SettingStatus, "override"> {
  if (override === undefined) return {};
  const { setting: _, ...rest } = override;
  return { override: rest };
}
