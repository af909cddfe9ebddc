import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startDatabase } from "@cloudwright/sandbox/database/start-database";
import { connect } from "../src/database.ts";
import { migrate } from "../src/migrate.ts";
import { type BurstRow, measureBursts } from "./bursts.ts";
import { type Disk, foldAll, generateRuns, measureDisk, writeNodes } from "./fill.ts";
import { measureQueries, type QueryRow } from "./queries.ts";

/** The ledger under load, on an embedded PostgreSQL of its own: how fast pages are answered, and what writing costs. */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000000" },
    nodes: { type: "string", default: "5000" },
    rounds: { type: "string", default: "100" },
  },
});
const runs = Number(values.runs);
const nodes = Number(values.nodes);
const dir = mkdtempSync(path.join(tmpdir(), "cloudwright-ledger-bench-"));
const server = await startDatabase({ dataDir: path.join(dir, "data") });
try {
  await migrate(server.url);
  const db = connect(server.url);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  say("writing nodes");
  await writeNodes({ url: server.url, dir, nodes });
  say("writing runs");
  await generateRuns(db.pool, { runs, nodes });
  const unfolded = await measureDisk(db.pool);
  say("asking");
  const asked = await measureQueries(db, { nodes, rounds: Number(values.rounds) });
  say("bursts");
  const bursts = await measureBursts({ url: server.url, dir, nodes });
  say("folding");
  const folding = await foldAll(db.pool);
  const folded = await measureDisk(db.pool);
  await db.close();
  process.stdout.write(
    [
      `Runs: ${runs}, nodes: ${nodes}, rounds: ${values.rounds}.\n`,
      queryTable(asked),
      burstTable(bursts),
      diskTable([
        ["as written", unfolded],
        ["folded", folded],
      ]),
      `Folding ${folding.hours} hours took ${(folding.ms / 1_000).toFixed(1)} s, ${folding.longestMs.toFixed(0)} ms for the longest.\n`,
    ].join("\n"),
  );
} finally {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
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
