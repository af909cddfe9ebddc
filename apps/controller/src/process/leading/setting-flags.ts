import type { SettingValues } from "@cloudwright/core/model/settings/settings";
import type { SettingNotice } from "@cloudwright/core/reconcile/controls/settings-keeper";
import type { FlagValues } from "../../flags/definitions/all.ts";
import { type GateName, isGateOn } from "../../flags/feature-gates.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";

/** With this gate, the periodic comparison is only a safety net (spec/40 §5, RW-6). */
const WATCH_GATE: GateName = "CloudControllerManagerWatchBasedRoutesReconciliation";
const WATCH_PERIOD_MS = 300_000;

/** Returns the flags' values for the settings that users may change. */
export function settingFlags(flags: FlagValues): SettingValues {
  return isGateOn(flags["feature-gates"], WATCH_GATE)
    ? { ...flags, "route-reconciliation-period": WATCH_PERIOD_MS }
    : flags;
}

/** Logs the new value of a setting and who set it, since otherwise only flags would appear in the log. */
export function logSetting(
  log: Pick<ProcessContext["log"], "info">,
  { setting, from, value, override }: SettingNotice,
): void {
  if (override === undefined) {
    log.info({ setting, from, value }, "A setting was reset to its flag");
    return;
  }
  const { by, why, intentId } = override;
  log.info({ setting, from, value, by, why, intent: intentId }, "A setting was changed by a user");
}
