import { migrate } from "@cloudwright/store/migrate";
import { grantRoles } from "@cloudwright/store/roles/grant-roles";
import { openRoleLogins } from "@cloudwright/store/roles/role-logins";
import type { Command } from "commander";
import { askDatabase } from "./database-failure.ts";
import { DATABASE_OPTIONS, type DatabaseFlags, requireDatabaseUrl } from "./local-instance.ts";
import { PlainError } from "./plain-error.ts";
import { readRoleUrls, writeRoleUrls } from "./role-urls-file.ts";

interface MigrateFlags extends DatabaseFlags {
  readonly roleUrls?: string;
}

/** `cloudwright migrate`: brings schema and rights of the database up to this release; nothing else ever changes them. */
export function addMigrateCommand(root: Command): void {
  root
    .command("migrate")
    .description("bring the schema of the database, and who may do what with it, up to date")
    .option(
      "--role-urls <file>",
      "let the roles of controller and dashboard log in, and keep their connection strings there",
    )
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data)
    .action(async (given: MigrateFlags) => {
      const databaseUrl = requireDatabaseUrl(given);
      const { applied } = await askDatabase(migrate(databaseUrl));
      const told = applied.map((name) => `Applied ${name}.`);
      const roles = await askDatabase(settleRoles(databaseUrl, given.roleUrls));
      process.stdout.write(`${[...told, roles, "The schema is up to date."].join("\n")}\n`);
    });
}

/** Rights first: without the roles everything still works with the owner's login, so that is no failure of a migration. */
async function settleRoles(databaseUrl: string, file: string | undefined): Promise<string> {
  const granted = await grantRoles(databaseUrl);
  if (granted.kind === "notAllowed") {
    if (file === undefined) return granted.sentence;
    throw new PlainError(granted.sentence);
  }
  const done = "Controller and dashboard have roles of their own with the rights that they need.";
  if (file === undefined) return done;
  writeRoleUrls(file, await openRoleLogins(databaseUrl, readRoleUrls(file)));
  return `${done} Their connection strings are in ${file}.`;
}
