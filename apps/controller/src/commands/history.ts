import { systemClock } from "@cloudwright/core/kube/system-clock";
import { runDetail } from "@cloudwright/store/queries/runs/runs";
import { spoolFolders } from "@cloudwright/store/spool/peek-runs";
import type { RunDetail } from "@cloudwright/store/views/views";
import type { Command } from "commander";
import { int, list, oneOf } from "../flags/kinds.ts";
import { PlainError } from "../plain-error.ts";
import { stateFolders } from "../process/ledger/spool-folder.ts";
import { runJson, runText } from "./history/print-run.ts";
import { PRINTERS } from "./history/print-runs.ts";
import { type HistoryFlags, runsFilter, selectRuns } from "./history/select-runs.ts";
import { isSelected, newestFirst, spooledRuns } from "./history/spooled-runs.ts";
import { clusterId, withLedger } from "./ledger/ledger-selection.ts";
import { DATABASE_OPTIONS, type DatabaseFlags, namedDatabaseUrl } from "./ledger/local-instance.ts";
import { option } from "./terminal/options.ts";
import { OUTPUTS, type Output, print, printRows } from "./terminal/print.ts";

interface HistoryCommandFlags extends HistoryFlags, DatabaseFlags {
  readonly output: Output;
  readonly run?: string;
  readonly spool?: string;
}

/** `cloudwright history`: lists the ledger's runs, newest first, for terminals and programs, or shows one run in full. */
export function addHistoryCommand(root: Command): void {
  root
    .command("history")
    .description("print the runs of the ledger, newest first")
    .option("--run <id>", "only this run, with its plan, calls and result")
    .option(
      "--spool <dir>",
      "read what has not reached a database from this spool (a controller's --spool-dir), or from all spools below this directory",
    )
    .option(
      "--cluster <id or name>",
      "runs of this cluster; required if the ledger has several clusters",
    )
    .option("--controller <name>", "of this controller; its aliases are accepted")
    .option("--object <name>", "about this object; * matches anything, a/b is namespace and name")
    .option("--outcome <outcomes>", "comma separated: changed, failed, …", option(list), [])
    .option(
      "--trigger <kinds>",
      "comma separated: change, period, auto-retry, start, action",
      option(list),
      [],
    )
    .option("--reason <code>", "with this reason, such as InstanceNotFound")
    .option("--since <time>", "since this time: 1h30m (before now), or 2026-01-31T12:00:00Z")
    .option("--until <time>", "before this time, in the same format")
    .option("--min-calls <n>", "with at least this many calls", option(int(0)))
    .option("--limit <n>", "maximum number", option(int(1)), 50)
    .option("-o, --output <format>", OUTPUTS.join(", "), option(oneOf(OUTPUTS)), "table")
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data)
    .action(printHistory);
}

async function printHistory(flags: HistoryCommandFlags): Promise<void> {
  if (flags.run !== undefined && flags.output === "csv") {
    throw new PlainError("--output csv only lists runs: use table or json with --run.");
  }
  const url = flags.spool === undefined ? namedDatabaseUrl(flags) : undefined;
  if (url === undefined) await printSpooled(flags, spooledOf(flags));
  else await printStored(flags, url);
}

function printStored(flags: HistoryCommandFlags, url: string): Promise<void> {
  const { run, cluster, output } = flags;
  return withLedger(url, async (db) => {
    if (run === undefined) return printRows(PRINTERS[output], selectRuns(db, flags));
    const found = await runDetail(db, { cluster: await clusterId(db, cluster), id: run });
    await print(printed(found, output));
  });
}

async function printSpooled(flags: HistoryCommandFlags, runs: readonly RunDetail[]): Promise<void> {
  const { run, output } = flags;
  if (run !== undefined) {
    const found = runs.find(({ row }) => row.id === run);
    if (found !== undefined) return await print(printed(found, output));
    throw new PlainError(
      `No spool holds the run ${run}: it may be in a database; name that with --database-url.`,
    );
  }
  const filter = runsFilter(flags, systemClock.now());
  const selected = runs.map(({ row }) => row).filter((row) => isSelected(row, filter));
  await printRows(PRINTERS[output], rowsOf(selected.slice(0, flags.limit)));
}

function printed(run: RunDetail, output: Output): string {
  return output === "json" ? runJson(run) : runText(run);
}

async function* rowsOf<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

/** Reads the spooled runs of the given folder; without one, of all state folders that controllers use by default. */
function spooledOf({ spool, data }: HistoryCommandFlags): readonly RunDetail[] {
  if (spool !== undefined) {
    const runs = spooledRuns(spool);
    if (runs !== undefined) return runs;
    throw new PlainError(
      `There is no spool in or below ${spool}: name a controller's --spool-dir.`,
    );
  }
  const folders = [data, ...stateFolders()];
  const found = folders.flatMap((folder) => spooledRuns(folder) ?? []);
  if (folders.every((folder) => spoolFolders(folder).length === 0)) {
    throw new PlainError(
      `No database is named, and there is no spool below ${folders.join(" or ")}: give --database-url=postgresql://user@host/name, set DATABASE_URL, or name a controller's spool with --spool=DIR.`,
    );
  }
  process.stderr.write(
    `No database is named, so these are the runs in the spools below ${folders.join(" and ")}:\n`,
  );
  return newestFirst(found);
}
