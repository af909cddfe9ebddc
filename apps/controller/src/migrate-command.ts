import { migrate } from "@cloudwright/store/migrate";
import type { Command } from "commander";
import { DATABASE_URL_OPTION, requireDatabaseUrl } from "./command-options.ts";
import { createLog } from "./logging/log.ts";

/** `cloudwright migrate`: brings the database's schema up to this release; nothing else ever changes it. */
export function addMigrateCommand(root: Command): void {
  root
    .command("migrate")
    .description("bring the schema of the database up to date")
    .option(...DATABASE_URL_OPTION)
    .action(async (given: { databaseUrl?: string }) => {
      const log = createLog({ format: "text", verbosity: 0 });
      const { applied } = await migrate(requireDatabaseUrl(given.databaseUrl), { log });
      const told = applied.length === 0 ? "The schema is up to date." : applied.join("\n");
      process.stdout.write(`${told}\n`);
    });
}
