import { describe, expect, it } from "vitest";
import type { SettingActionKind } from "../actions/setting-actions.ts";
import { kindOfChange } from "./setting-change.ts";
import { SETTING_NAMES, type SettingName } from "./setting-names.ts";
import { canonicalValue, consequencesOfChange, problemOfValue, settingOf } from "./settings.ts";

describe("a setting", () => {
  it.each(SETTING_NAMES.map((name) => [name] as const))("%s has texts", (name) => {
    const { controller, label, help } = settingOf(name);
    expect(controller).toMatch(/-controller$/);
    expect(label).toMatch(/^[A-Z].*[^.]$/);
    expect(help).toMatch(/^[A-Z].*\.$/);
  });

  it.each<[SettingName, string, string]>([
    ["node-monitor-period", "60s", "1m0s"],
    ["node-deletion-guard", "5,10%,600s", "5,10%,10m"],
    ["node-deletion-guard", "off", "off"],
    ["ledger-retention-runs", "72h", "3d"],
    ["ledger-retention-runs", "36h", "36h0m0s"],
    ["ledger-retention-runs", "soon", "soon"],
  ])("%s=%s is %s in the controller's spelling", (name, text, canonical) => {
    expect(canonicalValue(name, text)).toBe(canonical);
  });
});

describe("a value", () => {
  it.each<[SettingName, string]>([
    ["node-monitor-period", "1s"],
    ["node-monitor-period", "24h"],
    ["audit-checkpoint-period", "2s"],
    ["ledger-retention-runs", "24h"],
    ["ledger-retention-runs", "3650d"],
    ["node-deletion-guard", "0,0%,1s"],
    ["node-deletion-guard", "10000,100%,168h"],
  ])("--%s=%s is accepted", (name, text) => {
    expect(problemOfValue(name, text)).toBeUndefined();
  });

  it.each<[SettingName, string, RegExp]>([
    ["node-monitor-period", "10", /must be a duration such as 10s/],
    ["node-monitor-period", "10ms", /must be a duration between 1s and 24h,/],
    ["node-monitor-period", "-5s", /must be a duration between 1s and 24h,/],
    ["volume-drift-period", "25h", /must be a duration between 1s and 24h,/],
    ["audit-checkpoint-period", "2h", /must be a duration between 2s and 1h,/],
    ["ledger-retention-runs", "3h", /must be a duration of a day or more/],
    ["ledger-retention-runs", "9999d", /must be at most 3650d,/],
    ["node-deletion-guard", "5", /must be off, or nodes, percentage and window/],
    ["node-deletion-guard", "5,101%,10m", /must be off, or nodes, percentage and window/],
    ["node-deletion-guard", "10001,1%,10m", /must let through at most 10000 nodes,/],
    ["node-deletion-guard", "5,10%,200h", /must have a window between 1s and 168h,/],
  ])("--%s=%s is refused in one sentence", (name, text, problem) => {
    const sentence = problemOfValue(name, text);
    expect(sentence).toMatch(problem);
    expect(sentence).toMatch(/^--[a-z-]+ must .* cannot be ".*"\.$/);
  });
});

describe("a change", () => {
  it.each<[SettingName, string, string, SettingActionKind, RegExp]>([
    ["node-monitor-period", "5s", "1s", "set-setting", /5 times as often/],
    ["node-monitor-period", "5s", "1m", "set-setting", /noticed up to 1 min later instead of 5 s/],
    ["audit-checkpoint-period", "10s", "2s", "set-setting", /every 2 s instead of every 10 s/],
    ["audit-checkpoint-period", "10s", "1m", "set-setting", /For up to 1 min nothing/],
    [
      "ledger-retention-runs",
      "30d",
      "3d",
      "shorten-retention",
      /deletes the runs that are older than 3 d\. .*cannot be brought back/,
    ],
    ["ledger-retention-runs", "30d", "60d", "set-setting", /not restored/],
    ["node-deletion-guard", "5,10%,10m", "6,10%,10m", "loosen-guard", /At most 6 nodes or 10 %/],
    ["node-deletion-guard", "5,10%,10m", "5,11%,10m", "loosen-guard", /cannot be undone/],
    ["node-deletion-guard", "5,10%,10m", "5,10%,5m", "loosen-guard", /within 5 min/],
    ["node-deletion-guard", "5,10%,10m", "4,100%,10m", "loosen-guard", /100 % of all/],
    ["node-deletion-guard", "5,10%,10m", "off", "loosen-guard", /Without the guard/],
    ["node-deletion-guard", "5,10%,10m", "2,5%,20m", "set-setting", /wait for an admin/],
    ["node-deletion-guard", "off", "100,100%,1s", "set-setting", /At most 100 nodes/],
  ])("of --%s from %s to %s is a %4$s", (...[setting, from, value, kind, says]) => {
    expect(kindOfChange({ setting, from, value })).toBe(kind);
    expect(consequencesOfChange(setting, { from, value }).join(" ")).toMatch(says);
  });
});
