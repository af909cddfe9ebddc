import { isSettingName, type SettingName } from "@cloudwright/core/model/settings/setting-names";
import { canonicalValue } from "@cloudwright/core/model/settings/settings";
import { LOCAL_ADMIN } from "@cloudwright/store/users/sign-in";
import { actorByEmail } from "@cloudwright/store/users/user";
import type { Command } from "commander";
import { oneOf, why } from "../flags/kinds.ts";
import { PlainError } from "../plain-error.ts";
import { clusterId, withLedger } from "./ledger/ledger-selection.ts";
import {
  DATABASE_OPTIONS,
  type DatabaseFlags,
  requireDatabaseUrl,
} from "./ledger/local-instance.ts";
import { changeSetting } from "./settings/change-setting.ts";
import {
  leaderSettings,
  type RunningSetting,
  SETTING_PRINTERS,
} from "./settings/running-settings.ts";
import { option } from "./terminal/options.ts";
import { OUTPUTS, type Output, print, printRows } from "./terminal/print.ts";

const CLUSTER = [
  "--cluster <id or name>",
  "the cluster; required if the ledger has several",
] as const;

interface ClusterFlags extends DatabaseFlags {
  readonly cluster?: string;
}

interface ChangeFlags extends ClusterFlags {
  readonly why: string;
  readonly email: string;
  readonly confirm?: string;
  readonly dryRun: boolean;
}

/**
 * `cloudwright settings`, `settings set` and `settings reset`: show the leader's settings, and change them without a restart. As
 * in the dashboard, a change is an action in the ledger: planned first, audited, and carried out by the leader.
 */
export function addSettingsCommand(root: Command): void {
  const settings = root
    .command("settings")
    .description("print the settings that can be changed while controllers run, and who set them")
    .enablePositionalOptions()
    .option(...CLUSTER)
    .option("-o, --output <format>", OUTPUTS.join(", "), option(oneOf(OUTPUTS)), "table")
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data)
    .action(printSettings);
  const set = settings
    .command("set")
    .description(
      "change a setting at once and without a restart, after showing what follows from it",
    )
    .argument("<name>", "the setting, as its flag is called, without dashes")
    .argument("<value>", "the new value, as the flag's is written");
  withChange(set).action(setValue);
  const reset = settings
    .command("reset")
    .description("go back to the value of the flag")
    .argument("<name>", "the setting, as its flag is called, without dashes");
  withChange(reset).action(resetValue);
}

function withChange(command: Command): Command {
  return command
    .requiredOption("--why <text>", "the reason to record", option(why))
    .option("--confirm <value>", "the new value again, if the change cannot be taken back")
    .option("--dry-run", "show what would follow, but change nothing", false)
    .option("--email <address>", "the admin on whose behalf it is requested", LOCAL_ADMIN)
    .option(...CLUSTER)
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data);
}

/** A report older than this may be out of date, in milliseconds. */
const SILENT_MS = 60_000;

function printSettings(flags: ClusterFlags & { readonly output: Output }): Promise<void> {
  return withLedger(requireDatabaseUrl(flags), async (db) => {
    const cluster = await clusterId(db, flags.cluster);
    const { settings, heardAt } = await leaderSettings(db, cluster);
    if (Date.now() - heardAt > SILENT_MS) {
      process.stderr.write(
        `The leader last reported at ${new Date(heardAt).toISOString()}: what holds now is not known.\n`,
      );
    }
    await printRows(SETTING_PRINTERS[flags.output], rowsOf(settings));
  });
}

async function* rowsOf(settings: readonly RunningSetting[]): AsyncGenerator<RunningSetting> {
  yield* settings;
}

function setValue(name: string, text: string, flags: ChangeFlags): Promise<void> {
  const setting = settingNamed(name);
  const value = canonicalValue(setting, text);
  return change(setting, flags, ({ value: from }) =>
    canonicalValue(setting, from) === value ? undefined : { setting, from, value },
  );
}

function resetValue(name: string, flags: ChangeFlags): Promise<void> {
  const setting = settingNamed(name);
  return change(setting, flags, ({ value: from, flag, by }) =>
    by === undefined ? undefined : { setting, from, value: flag, reset: true },
  );
}

function settingNamed(name: string): SettingName {
  if (isSettingName(name)) return name;
  throw new PlainError(
    `No setting called ${name} can be changed while controllers run: see cloudwright settings.`,
  );
}

type Change = Parameters<typeof changeSetting>[1];

/** `changeOf` returns undefined if the setting already has that value. */
function change(
  name: SettingName,
  flags: ChangeFlags,
  changeOf: (now: RunningSetting) => Change | undefined,
): Promise<void> {
  return withLedger(requireDatabaseUrl(flags), async (db) => {
    const cluster = await clusterId(db, flags.cluster);
    const { settings } = await leaderSettings(db, cluster);
    const now = settings.find((setting) => setting.name === name);
    if (now === undefined) {
      throw new PlainError(
        `The leader does not use --${name}, because the controller that reads it is not running.`,
      );
    }
    const wanted = changeOf(now);
    if (wanted === undefined) return print(`--${name} is already ${now.value}.\n`);
    const { why, confirm, dryRun: isDryRun, email } = flags;
    const actor = await actorByEmail(db, email);
    await changeSetting({ db, cluster, actor, why, confirm, isDryRun }, wanted);
  });
}
