import { requestedByUser, type SettingAction } from "../../model/actions/action.ts";
import type { SettingOverride } from "../../model/controls.ts";
import type { Plan } from "../../model/plan.ts";
import type { ReasonOf } from "../../model/reason.ts";
import { phrased } from "../../model/reasons/phrases.ts";
import { problemOfChange } from "../../model/settings/setting-change.ts";
import { canonicalValue, settingOf } from "../../model/settings/settings.ts";
import type { ControlRecord } from "./control-record.ts";
import type { ControlObserved, ControlWork } from "./control-work.ts";
import { notHere, refused } from "./refused-plan.ts";
import { takesEffect } from "./settings-keeper.ts";
import { flagText, overrideOf, textInForce, withoutOverride } from "./settings-record.ts";

/** Plans the change of a setting in the record. */
export function planSetting(observed: ControlObserved<SettingAction>): Plan {
  const { requested, object, controllers } = observed;
  const { action } = requested;
  const { setting, reset } = action;
  if (!takesEffect(setting, controllers)) {
    return refused(action, notHere({ name: settingOf(setting).controller }));
  }
  const always = problemOfChange(action, object)?.replace(/\.$/, "");
  const problem = always === undefined ? problemNow(observed) : { problem: always };
  if (problem !== undefined) return refused(action, { code: "WishRefused", ...problem });
  const reason = requestedByUser(requested);
  const value = canonicalValue(setting, action.value);
  const change = {
    kind: "setting.change",
    system: "cluster",
    target: object,
    before: { [setting]: canonicalValue(setting, action.from) },
    after: { [setting]: value, ...(reset === true ? { source: "flag" } : {}) },
    reason,
  } as const;
  return { changes: [change], notTaken: [], next: { kind: "settled", reason } };
}

/** Returns why the change is no longer possible, as the end of a sentence. */
function problemNow({
  requested: { action },
  record: { settings },
  flags,
}: ControlObserved<SettingAction>): Omit<ReasonOf<"WishRefused">, "code"> | undefined {
  const { setting, from, value, reset } = action;
  const now = textInForce(settings, setting, flags);
  if (canonicalValue(setting, from) !== now) {
    return phrased("problem", "settingChanged", `--${setting}`, now, from);
  }
  if (reset !== true) return undefined;
  if (overrideOf(settings, setting) === undefined) {
    return phrased("problem", "settingIsFlags", `--${setting}`);
  }
  const flag = flagText(setting, flags);
  return canonicalValue(setting, value) === flag
    ? undefined
    : phrased("problem", "flagDiffers", `--${setting}`, flag, value);
}

/** Returns the record with the change. */
export function writeSetting(
  { record, requested }: ControlWork<SettingAction>,
  nowMs: number,
): ControlRecord {
  const { action, by, why, intentId } = requested;
  const { setting, reset } = action;
  const others = withoutOverride(record.settings, setting);
  if (reset === true) return { ...record, settings: others };
  const value = canonicalValue(setting, action.value);
  const override: SettingOverride = { setting, value, by, why, at: nowMs, intentId };
  return { ...record, settings: [...others, override] };
}

export function isSettingDone({ record, requested }: ControlWork<SettingAction>): boolean {
  const { setting, reset } = requested.action;
  const override = overrideOf(record.settings, setting);
  return reset === true ? override === undefined : override?.intentId === requested.intentId;
}
