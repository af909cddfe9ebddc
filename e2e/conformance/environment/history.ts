import { rowsOf } from "../../harness/database.ts";
import { runCloudwright } from "../../harness/processes.ts";
import type { HistoryRow } from "./scenario.ts";

/**
 * `cloudwright history` on this ledger, parsed. Each answer is a process's work, and many rows ask again and again: the command is run
 * only if the runs that it is asked for have changed since it was, and only two at a time.
 */
export async function readHistory(
  databaseUrl: string | undefined,
  args: readonly string[],
): Promise<HistoryRow[]> {
  if (databaseUrl === undefined) throw new Error("this group keeps no ledger");
  const command = ["history", "--database-url", databaseUrl, "--output", "json", ...args];
  // Before the command, so that whatever changes while it reads has it run again.
  const version = await versionOf(databaseUrl, args);
  const known = answers.get(command.join(" "));
  if (known?.version === version) return known.rows;
  const before = readings.shift() ?? Promise.resolve();
  const reading = before.then(() => runCloudwright(command));
  readings.push(reading.catch(() => undefined));
  const rows = JSON.parse(await reading) as HistoryRow[];
  answers.set(command.join(" "), { version, rows });
  return rows;
}

interface Answer {
  readonly version: string;
  readonly rows: HistoryRow[];
}

/** By the command that was answered. */
const answers = new Map<string, Answer>();

/** The last reading of each of two queues. */
const readings: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];

/** Another one whenever a run of the objects asked for was written or has ended. */
async function versionOf(databaseUrl: string, args: readonly string[]): Promise<string> {
  const at = args.indexOf("--object");
  const [name = "*"] = at < 0 ? [] : (args[at + 1] ?? "*").split("/").slice(-1);
  const [row] = await rowsOf<{ version: string }>(databaseUrl, VERSION, [
    name.replaceAll("*", "%"),
  ]);
  return row?.version ?? "";
}

const VERSION = `
  SELECT concat(count(*), ' ', sum(xmin::text::bigint)) AS version FROM runs WHERE object_name LIKE $1`;
