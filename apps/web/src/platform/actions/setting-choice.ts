import type { SettingChange } from "@cloudwright/core/model/actions/setting-actions";
import { kindOfChange } from "@cloudwright/core/model/settings/setting-change";
import { settingOf } from "@cloudwright/core/model/settings/settings";
import type { ActionChoice } from "./action-choice.ts";

/** Both values together determine the kind of action. */
export function settingChange(cluster: string, change: SettingChange): ActionChoice {
  const { controller } = settingOf(change.setting);
  const object = { kind: "Controller", name: controller } as const;
  return { cluster, kind: kindOfChange(change), controller, object, change };
}
