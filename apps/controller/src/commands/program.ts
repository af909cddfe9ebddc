import { Command, CommanderError } from "commander";
import { versionText } from "../version.ts";
import { addAdoptCommand } from "./adopt.ts";
import { addAuditCommand } from "./audit.ts";
import { addDashboardCommand } from "./dashboard.ts";
import { addDatabaseCommand } from "./database.ts";
import { addHistoryCommand } from "./history.ts";
import { addMigrateCommand } from "./migrate.ts";
import { addPermissionsCommand } from "./permissions.ts";
import { addSandboxCommands } from "./sandbox.ts";
import { addSettingsCommand } from "./settings.ts";
import { addSignInLinkCommand } from "./sign-in-link.ts";
import { addUninstallCommand } from "./uninstall.ts";
import { addWebhookCommand } from "./webhook.ts";

/** Every command but `controller`, and what commander answers itself; answers the exit code. */
export async function runOtherCommand(args: readonly string[]): Promise<number> {
  try {
    await program().parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
}

/** All commands with their options; those that take the controller's flags have only their names here. */
export function program(): Command {
  const root = new Command("cloudwright")
    .description("A Kubernetes cloud controller manager that records every decision it makes.")
    .version(versionText(false).trim())
    // Otherwise the options after `audit verify` would be taken for those of `audit`.
    .enablePositionalOptions()
    .exitOverride();
  root
    .command("controller")
    .description("run the control loops; see cloudwright controller --help for its flags");
  root
    .command("plan")
    .description("print what the control loops would do right now, without writing anything");
  root
    .command("doctor")
    .description(
      "examine the cluster, the cloud and the ledger for anything that would keep a controller from working",
    );
  root
    .command("cleanup")
    .description("remove what a dead cluster has left in the cloud, after showing the list");
  addDashboardCommand(root);
  addMigrateCommand(root);
  addDatabaseCommand(root);
  addHistoryCommand(root);
  addAuditCommand(root);
  addAdoptCommand(root);
  addSettingsCommand(root);
  addPermissionsCommand(root);
  addSignInLinkCommand(root);
  addWebhookCommand(root);
  addUninstallCommand(root);
  addSandboxCommands(root);
  return root;
}
