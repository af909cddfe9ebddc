import { rowsOf } from "../../harness/database.ts";
import { runCloudwright } from "../../harness/processes.ts";
import type { HistoryRow } from "./scenario.ts";

/**
 * Returns the parsed output of `cloudwright history` on this ledger. Each call starts a process, and many rows call repeatedly:
 * the command is run only if the requested runs have changed since the last call, and only two run at a time.
 */
export async function readHistory(
  databaseUrl: string | undefined,
  args: readonly string[],
): Promise<HistoryRow[]> {
  if (databaseUrl === undefined) throw new Error("this group keeps no ledger");
  const command = ["history", "--database-url", databaseUrl, "--output", "json", ...args];
  // Read before the command, so that a change meanwhile causes another run of it.
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

/** By command line. */
const answers = new Map<string, Answer>();

/** The latest reading in each of two queues. */
const readings: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];

/** Returns a version that changes whenever a run of the requested objects was written or has ended. */
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
