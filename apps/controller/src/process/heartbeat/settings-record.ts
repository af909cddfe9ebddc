import type { FlagSetting, SettingsRecord } from "@cloudwright/core/model/records/settings-record";
import { databaseUrlOf } from "../../flags/database-url.ts";
import { FLAG_NAMES, type FlagName, flagOf } from "../../flags/definitions/all.ts";
import { isSecretFlag } from "../../flags/secret-flags.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";

type Started = Pick<ProcessContext, "flags" | "given" | "identity" | "clock">;

/** Returns the settings of this process. For secrets, and for their locations, only whether they are set. */
export function settingsRecord(started: Started, cluster: string): SettingsRecord {
  return {
    type: "settings",
    cluster,
    instance: started.identity,
    at: started.clock.now(),
    flags: FLAG_NAMES.map((name) => settingOf(started, name)),
  };
}

function settingOf(started: Started, name: FlagName): FlagSetting {
  const { kind, section, initial, help, idle } = flagOf(name);
  const source = sourceOf(started, name);
  const isSecret = isSecretFlag(name);
  const isSet = source !== "default" && started.flags[name] !== "";
  const isFromEnvironment = source === "environment";
  return {
    name,
    section,
    value: isSecret ? setOrNot(isSet || isFromEnvironment) : kind.format(started.flags[name]),
    initial: isSecret ? setOrNot(false) : kind.format(initial),
    source,
    isSecret,
    help,
    ...(idle === undefined ? {} : { idle }),
  };
}

function sourceOf(started: Started, name: FlagName): FlagSetting["source"] {
  const isFromEnvironment =
    name === "database-url" &&
    started.flags["database-url"] === "" &&
    databaseUrlOf(started) !== undefined;
  if (isFromEnvironment) return "environment";
  return started.given.includes(name) ? "flag" : "default";
}

function setOrNot(isSet: boolean): string {
  return isSet ? "set" : "not set";
}
