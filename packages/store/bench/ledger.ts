import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startDatabase } from "@cloudwright/sandbox/database/start-database";
import { connect } from "../src/database/database.ts";
import { migrate } from "../src/database/migrate.ts";
import { type BurstRow, measureBursts } from "./bursts.ts";
import {
  type Disk,
  foldDays,
  generateRuns,
  measureDisk,
  writeLoadBalancers,
  writeNodes,
} from "./fill.ts";
import { measureQueries, type QueryRow } from "./queries.ts";
import { measureWrites, type WriteRow } from "./writes.ts";

/** Benchmarks the ledger under load on its own embedded PostgreSQL: how fast pages are answered, and what writing costs. */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000000" },
    nodes: { type: "string", default: "5000" },
    services: { type: "string", default: "1000" },
    members: { type: "string", default: "500" },
    rounds: { type: "string", default: "100" },
  },
});
const runs = Number(values.runs);
const nodes = Number(values.nodes);
const services = Number(values.services);
const members = Number(values.members);
const dir = mkdtempSync(path.join(tmpdir(), "cloudwright-ledger-bench-"));
const server = await startDatabase({ dataDir: path.join(dir, "data") });
// Stop the database also when the benchmark is terminated early.
process.once("SIGTERM", () => {
  void server.stop().finally(() => process.exit(1));
});
try {
  const print = (text: string) => process.stdout.write(`${text}\n`);
  if (process.platform === "linux") {
    print(writeTable(await measureWrites({ url: server.url, pid: server.pid, dir, nodes })));
  }
  await migrate(server.url);
  const db = connect(server.url);
  await writeNodes({ url: server.url, dir, nodes });
  await writeLoadBalancers({ url: server.url, dir, services, members });
  await generateRuns(db.pool, { runs, nodes });
  print(
    `Runs: ${runs}, nodes: ${nodes}, Services: ${services} of ${members} members, rounds: ${values.rounds}.\n`,
  );
  print(queryTable(await measureQueries(db, { nodes, services, rounds: Number(values.rounds) })));
  print(burstTable(await measureBursts({ url: server.url, dir, nodes })));
  const unfolded = await measureDisk(db.pool);
  const folding = await foldDays(db.pool);
  const folded = await measureDisk(db.pool);
  await db.close();
  print(
    diskTable([
      ["a day as written", unfolded],
      ["the same day folded", folded],
    ]),
  );
  print(
    `Folding ${folding.runs} runs of ${folding.hours} hours away took ${(folding.ms / 1_000).toFixed(1)} s, ${folding.longestMs.toFixed(0)} ms for the longest hour.`,
  );
} finally {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}

function writeTable(rows: readonly WriteRow[]): string {
  return table(
    ["states of nodes with routes", "the database's CPU for 1,000 nodes, ms"],
    rows.map(({ what, cpuMs }) => [what, cpuMs.toFixed(0)]),
  );
}

function queryTable(rows: readonly QueryRow[]): string {
  return table(
    ["first screen of", "p50, ms", "p95, ms", "below 100 ms at p95"],
    rows.map(({ name, p50, p95 }) => [
      name,
      p50.toFixed(1),
      p95.toFixed(1),
      p95 < 100 ? "yes" : "no",
    ]),
  );
}

function burstTable(rows: readonly BurstRow[]): string {
  return table(
    [
      "records a second",
      "reached",
      "written to",
      "main thread's delay p50 / p99 / max, ms",
      "CPU of the main thread, ms",
      "in the database after, s",
    ],
    rows.map((row) => [
      String(row.perSecond),
      row.reached.toFixed(0),
      row.by,
      `${row.p50.toFixed(1)} / ${row.p99.toFixed(1)} / ${row.max.toFixed(1)}`,
      row.cpuMs.toFixed(0),
      row.drainedAfterMs === undefined ? "—" : (row.drainedAfterMs / 1_000).toFixed(1),
    ]),
  );
}

function diskTable(rows: readonly (readonly [string, Disk])[]): string {
  return table(
    ["runs", "rows", "bytes a row", "of these indexes", "MiB"],
    rows.map(([name, disk]) => [
      name,
      String(disk.rows),
      (disk.bytes / disk.rows).toFixed(0),
      (disk.indexBytes / disk.rows).toFixed(0),
      (disk.bytes / 1_048_576).toFixed(0),
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}
