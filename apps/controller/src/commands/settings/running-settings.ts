import type { SettingStatus } from "@cloudwright/core/model/controls";
import { SETTING_NAMES, type SettingName } from "@cloudwright/core/model/settings/setting-names";
import type { Database } from "@cloudwright/store/database/database";
import { takesNoSettings } from "@cloudwright/store/intents/leader-offers";
import { clusterReports } from "@cloudwright/store/queries/overview/clusters";
import { flagOf } from "../../flags/definitions/all.ts";
import { PlainError } from "../../plain-error.ts";
import { listPrinters } from "../terminal/print.ts";

/** A setting and its current value on the leader. */
export interface RunningSetting {
  readonly name: SettingName;
  readonly value: string;
  /** The value of the leader's flag, used unless somebody has set another one. */
  readonly flag: string;
  /** The flag's default. */
  readonly default: string;
  /** Who set the value, why and when; absent if the flag's value is used. */
  readonly by?: string;
  readonly why?: string;
  readonly at?: string;
}

export interface LeaderSettings {
  /** In the documentation's order. */
  readonly settings: readonly RunningSetting[];
  /** When the leader reported them, milliseconds since the epoch. */
  readonly heardAt: number;
}

/** Returns the settings that a cluster's leader last reported. Throws PlainError if it reports none. */
export async function leaderSettings(db: Database, cluster: string): Promise<LeaderSettings> {
  const leader = (await clusterReports(db, cluster))?.leader;
  if (leader?.controls === undefined) {
    throw new PlainError(
      "No leader has reported its settings yet: start a controller, or run the same command again in a moment.",
    );
  }
  const { controls, version, heardAt } = leader;
  if (controls.settings === undefined) {
    throw new PlainError(takesNoSettings(version));
  }
  return { settings: runningSettings(controls.settings), heardAt };
}

/** Returns the settings that this release knows: a newer leader may report more. */
function runningSettings(reported: readonly SettingStatus[]): readonly RunningSetting[] {
  return SETTING_NAMES.flatMap((name) => {
    const status = reported.find(({ setting }) => setting === name);
    return status === undefined ? [] : [runningSetting(name, status)];
  });
}

function runningSetting(name: SettingName, { flag, override }: SettingStatus): RunningSetting {
  const { kind, initial } = flagOf(name);
  const common = { name, value: override?.value ?? flag, flag, default: kind.format(initial) };
  if (override === undefined) return common;
  const { by, why, at } = override;
  return { ...common, by, why, at: new Date(at).toISOString() };
}

export const SETTING_PRINTERS = listPrinters<RunningSetting>(
  [
    { title: "SETTING", width: 28, text: ({ name }) => name },
    { title: "VALUE", width: 12, text: ({ value }) => value },
    { title: "FLAG", width: 12, text: ({ flag }) => flag },
    { title: "DEFAULT", width: 12, text: (setting) => setting.default },
    { title: "SET BY", width: 16, text: ({ by = "" }) => by },
    { title: "SET AT", width: 24, text: ({ at = "" }) => at },
    { title: "WHY", width: 0, text: ({ why = "" }) => why },
  ],
  {
    head: "name,value,flag,default,set_by,set_at,why",
    fields: ({ name, value, flag, default: initial, by, at, why }) => [
      ...[name, value, flag, initial, by, at, why],
    ],
  },
);
