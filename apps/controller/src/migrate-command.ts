import { migrate } from "@cloudwright/store/migrate";
import type { Command } from "commander";
import { DATABASE_OPTIONS, type DatabaseFlags, requireDatabaseUrl } from "./local-instance.ts";

/** `cloudwright migrate`: brings the database's schema up to this release; nothing else ever changes it. */
export function addMigrateCommand(root: Command): void {
  root
    .command("migrate")
    .description("bring the schema of the database up to date")
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data)
    .action(async (given: DatabaseFlags) => {
      const { applied } = await migrate(requireDatabaseUrl(given));
      const told = applied.map((name) => `Applied ${name}.`);
      process.stdout.write(`${[...told, "The schema is up to date."].join("\n")}\n`);
    });
}
