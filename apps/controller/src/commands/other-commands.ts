import type { Command } from "commander";
import { addAdoptCommand } from "./adopt.ts";
import { addAuditCommand } from "./audit.ts";
import { addDashboardCommand } from "./dashboard.ts";
import { addDatabaseCommand } from "./database.ts";
import { addHistoryCommand } from "./history.ts";
import { addMigrateCommand } from "./migrate.ts";
import { addPermissionsCommand } from "./permissions.ts";
import { addSettingsCommand } from "./settings.ts";
import { addSignInLinkCommand } from "./sign-in-link.ts";
import { addUninstallCommand } from "./uninstall.ts";
import { addWebhookCommand } from "./webhook.ts";

/** Adds every command that commander parses, except those of the sandbox. */
export function addOtherCommands(root: Command): void {
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
}
