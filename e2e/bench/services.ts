import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { baselineFolder, measure } from "./baseline.ts";
import { CONTENDERS } from "./cells.ts";
import { about, type Contender, prepareContender } from "./contender.ts";
import { startLedgerDatabase } from "./ledger-database.ts";
import {
  isByBaseline,
  SERVICE_FLAGS,
  SERVICE_SCENARIOS,
  type ServiceCell,
  type ServiceChoice,
  serviceArguments,
  serviceCellName,
  serviceCellsOf,
} from "./service-cells.ts";
import { measureOnSandbox } from "./service-sandbox.ts";
import { servicesTable } from "./service-table.ts";
import type { MeasuredServices } from "./verdict.ts";

export interface ServiceBenchOptions {
  readonly choice: ServiceChoice;
  readonly runs: number;
  /** An earlier batch whose upstream cells are reused instead of being measured. */
  readonly upstreamFrom: string | undefined;
  readonly resultsDir: string;
}

/**
 * Measures Services on the real API server, both with the baseline's cloud, for upstream and us, and with the sandbox cloud;
 * returns Markdown.
 */
export async function benchServices(options: ServiceBenchOptions): Promise<string> {
  baselineFolder();
  const raw = join(options.resultsDir, "services");
  mkdirSync(raw, { recursive: true });
  const contender = await prepareContender();
  const said = await about(contender.program);
  const cells: MeasuredServices[] = [];
  try {
    for (const cell of serviceCellsOf(options.choice)) {
      process.stderr.write(`${serviceCellName(cell)} …\n`);
      const numbers =
        takenOver(cell, options.upstreamFrom) ?? (await numbersOf(cell, options, contender));
      cells.push({ cell, numbers });
      const kept = JSON.stringify({ about: said, cells }, null, 2);
      writeFileSync(join(options.resultsDir, "services.json"), kept);
    }
  } finally {
    contender.close();
  }
  return servicesTable(said, cells);
}

const batchSchema = z.object({
  cells: z.array(
    z.object({
      cell: z.object({
        scenario: z.enum(SERVICE_SCENARIOS),
        flags: z.enum(SERVICE_FLAGS),
        services: z.number(),
        who: z.enum(CONTENDERS),
      }),
      numbers: z.record(z.string(), z.number()),
    }),
  ),
});

function takenOver(
  cell: ServiceCell,
  file: string | undefined,
): Readonly<Record<string, number>> | undefined {
  if (file === undefined || cell.who !== "upstream") return undefined;
  const { cells } = batchSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  return cells.find((other) => serviceCellName(other.cell) === serviceCellName(cell))?.numbers;
}

async function numbersOf(
  cell: ServiceCell,
  { runs, resultsDir }: ServiceBenchOptions,
  contender: Contender,
): Promise<Readonly<Record<string, number>>> {
  const database =
    cell.who === "ledger" ? await startLedgerDatabase({ program: contender.program }) : undefined;
  try {
    if (!isByBaseline(cell)) return await measureOnSandbox(cell, database?.url);
    const command = cell.who === "upstream" ? undefined : contender.command(database?.url);
    const report = await measure([...serviceArguments(cell), "--runs", String(runs)], command);
    const path = join(resultsDir, "services", `${serviceCellName(cell)}.json`);
    writeFileSync(path, JSON.stringify(report.raw, null, 2));
    return report.median;
  } finally {
    await database?.stop();
  }
}
