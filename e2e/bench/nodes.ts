import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answeredCalls, baselineFolder, measure, type Report } from "./baseline.ts";
import { Batch, type Measured, readBatch } from "./batch.ts";
import { baselineArguments, type Cell, type Choice, cellName, cellsOf, PAGE } from "./cells.ts";
import { about, type Contender, prepareContender } from "./contender.ts";
import type { Counts } from "./counts.ts";
import { type LedgerDatabase, startLedgerDatabase } from "./ledger-database.ts";
import { batchTable, type Counted, countsTable } from "./table.ts";
import { measureWarm, type WarmRun, warmNumbers } from "./warm.ts";

export interface NodesOptions {
  readonly choice: Choice;
  readonly runs: number;
  /** An earlier batch whose upstream cells are reused instead of being measured. */
  readonly upstreamFrom: string | undefined;
  /** Whether to keep the cells of the last batch. */
  readonly resume: boolean;
  /** A program other than this checkout's command. */
  readonly controller: string | undefined;
  /** Whether our warm cells count what a node costs, in a separate table. */
  readonly isCounting: boolean;
  readonly resultsDir: string;
}

/** Measures nodes on the real API server, upstream and Cloudwright in one batch; returns Markdown with a verdict on each of our aims. */
export function benchNodes(options: NodesOptions): Promise<string> {
  return benchBatch("nodes", options);
}

/** Measures nodes with pod ranges until each has its route; likewise. */
export function benchRoutes({ choice, ...options }: NodesOptions): Promise<string> {
  return benchBatch("routes", { ...options, choice: { ...choice, scenarios: ["routes"] } });
}

async function benchBatch(name: string, options: NodesOptions): Promise<string> {
  baselineFolder();
  const dir = options.resultsDir;
  mkdirSync(join(dir, "nodes"), { recursive: true });
  const contender = await prepareContender({
    program: options.controller,
    counting: options.isCounting,
  });
  const said = await about(contender.program);
  const batch = new Batch({ dir, name, about: said, resume: options.resume });
  const counted: Counted[] = [];
  try {
    for (const cell of cellsOf(options.choice)) {
      if (batch.find(cell) !== undefined) continue;
      const { counts, ...kept } =
        takenOver(cell, options) ?? (await measured(cell, options, contender));
      batch.keep(kept);
      if (counts !== undefined) counted.push({ cell, counts });
    }
  } finally {
    contender.close();
  }
  return [batchTable(batch), ...counted.map(countsTable)].join("\n\n");
}

/** Includes the counts, which are not stored in a batch. */
type Found = Measured & { readonly counts?: Counts | undefined };

function takenOver(cell: Cell, { upstreamFrom }: NodesOptions): Found | undefined {
  if (upstreamFrom === undefined || cell.who !== "upstream") return undefined;
  const found = readBatch(upstreamFrom).cells.find(
    (other) => cellName(other.cell) === cellName(cell),
  );
  return found && { ...found, source: found.source ?? `from ${upstreamFrom}` };
}

async function measured(cell: Cell, options: NodesOptions, contender: Contender): Promise<Found> {
  process.stderr.write(`${cellName(cell)} …\n`);
  const args = [...baselineArguments(cell), "--runs", String(options.runs)];
  const database =
    cell.who === "ledger" ? await startLedgerDatabase({ program: contender.program }) : undefined;
  try {
    const command = cell.who === "upstream" ? undefined : contender.command(database?.url);
    if (cell.scenario === "warm")
      return await warm({ cell, options, contender, database, command });
    const report = await measure(args, command);
    const raw = join(options.resultsDir, "nodes", `${cellName(cell)}.json`);
    writeFileSync(raw, JSON.stringify(report.raw, null, 2));
    const more = await ownNumbers({ cell, report, contender, database, runs: options.runs });
    const { median, spread } = report;
    return { cell, runs: options.runs, numbers: { ...median, ...more }, spread };
  } finally {
    await database?.stop();
  }
}

interface WarmCell {
  readonly cell: Cell;
  readonly options: NodesOptions;
  readonly contender: Contender;
  readonly database: LedgerDatabase | undefined;
  readonly command: string | undefined;
}

async function warm({ cell, options, contender, database, command }: WarmCell): Promise<Found> {
  const countsAt = cell.who === "upstream" ? undefined : contender.countsAt;
  const runs: WarmRun[] = [];
  while (runs.length < options.runs)
    runs.push(
      await measureWarm(baselineArguments(cell), {
        nodes: cell.nodes,
        controller: command,
        countsAt,
      }),
    );
  const raw = join(options.resultsDir, "nodes", `${cellName(cell)}.json`);
  writeFileSync(raw, JSON.stringify(runs.map(({ report, wave }) => ({ ...report, wave }))));
  const { numbers, spread } = warmNumbers(runs);
  const counts = runs.at(-1)?.counts;
  if (counts !== undefined)
    writeFileSync(raw.replace(/json$/, "cpuprofile"), JSON.stringify(counts.cpu));
  const measured = { cell, runs: runs.length, numbers, spread };
  if (counts !== undefined) return { ...measured, counted: true, counts };
  if (cell.who === "upstream") return measured;
  const seen = contender.nodesWithEvent();
  const listed = runs.map(({ report }) => answeredCalls(report, "steady", "instances.list"));
  const records = {
    // Each run starts with an empty cloud.
    listings: Math.max(...listed) / Math.ceil((2 * cell.nodes) / PAGE),
    ...(seen.length === 0 ? {} : { nodesWithEvent: Math.min(...seen) }),
    ...(database === undefined ? {} : { ledgerRuns: (await database.changedRuns()) / runs.length }),
  };
  return { ...measured, numbers: { ...numbers, ...records } };
}

interface Ended {
  readonly cell: Cell;
  readonly report: Report;
  readonly contender: Contender;
  readonly database: LedgerDatabase | undefined;
  readonly runs: number;
}

/** Returns numbers that the baseline's program does not count itself. */
async function ownNumbers({ cell, report, contender, database, runs }: Ended) {
  if (cell.scenario === "routes") return routeNumbers(report);
  if (cell.who === "upstream") return {};
  const pages = Math.ceil(cell.nodes / PAGE);
  const seen = contender.nodesWithEvent();
  return {
    listings: answeredCalls(report, "main", "instances.list") / pages,
    "steady.listings": answeredCalls(report, "steady", "instances.list") / pages,
    ...(seen.length === 0 ? {} : { nodesWithEvent: Math.min(...seen) }),
    ...(database === undefined || cell.scenario !== "wave"
      ? {}
      : { ledgerRuns: (await database.changedRuns()) / runs }),
  };
}

function routeNumbers(report: Report) {
  return {
    routeListings: answeredCalls(report, "main", "routes.list"),
    routeCreations: answeredCalls(report, "main", "routes.create"),
    "steady.routeListings": answeredCalls(report, "steady", "routes.list"),
  };
}
