import { connect } from "@cloudwright/store/database";
import type { Command } from "commander";
import { option } from "./command-options.ts";
import { askDatabase } from "./database-failure.ts";
import { int, list, oneOf } from "./flags/kinds.ts";
import { PRINTERS } from "./history/print-runs.ts";
import { type HistoryFlags, selectRuns } from "./history/select-runs.ts";
import { DATABASE_OPTIONS, type DatabaseFlags, requireDatabaseUrl } from "./local-instance.ts";
import { OUTPUTS, type Output, printRows } from "./print.ts";

interface HistoryCommandFlags extends HistoryFlags, DatabaseFlags {
  readonly output: Output;
}

/** `cloudwright history`: the ledger's runs, newest first, for terminals and programs. */
export function addHistoryCommand(root: Command): void {
  root
    .command("history")
    .description("print the runs of the ledger, newest first")
    .option("--cluster <id or name>", "whose runs; needed when the ledger has several clusters")
    .option("--controller <name>", "of this controller; other names of it are understood")
    .option(
      "--object <name>",
      "about this object; * stands for anything, a/b for namespace and name",
    )
    .option("--outcome <outcomes>", "comma separated: changed, failed, …", option(list), [])
    .option(
      "--trigger <kinds>",
      "comma separated: change, period, retry, start, intent",
      option(list),
      [],
    )
    .option("--reason <code>", "with this reason, such as InstanceNotFound")
    .option("--since <time>", "from then on: 1h30m ago, or 2026-01-31T12:00:00Z")
    .option("--until <time>", "before then, written alike")
    .option("--min-calls <n>", "with so many calls or more", option(int(0)))
    .option("--limit <n>", "at most so many", option(int(1)), 50)
    .option("-o, --output <format>", OUTPUTS.join(", "), option(oneOf(OUTPUTS)), "table")
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data)
    .action(printHistory);
}

async function printHistory(flags: HistoryCommandFlags): Promise<void> {
  const db = connect(requireDatabaseUrl(flags), { max: 2 });
  try {
    await askDatabase(printRows(PRINTERS[flags.output], selectRuns(db, flags)));
  } finally {
    await db.close();
  }
}
